#include "actors/logger/event_file.hpp"

#include "actors/logger/protobuf_message.hpp"
#include "tests/actors/logger/temporary_folder.hpp"

#include <filesystem>
#include <vector>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

const event_file_name some_name{1700000000, "host", 42, 0};

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE("numbers are encoded as the protobuf specification shows them") {
    CHECK(hex(protobuf_message{}.varint(1, 150).bytes()) == "089601");
    CHECK(hex(protobuf_message{}.varint(1, 0).bytes()) == "0800");
    CHECK(hex(protobuf_message{}.varint(16, UINT64_MAX).bytes()) == "8001ffffffffffffffffff01");
    CHECK(hex(protobuf_message{}.text(2, "testing").bytes()) == "120774657374696e67");
    CHECK(hex(protobuf_message{}.message(3, protobuf_message{}.varint(1, 150)).bytes()) == "1a03089601");
    CHECK(hex(protobuf_message{}.float32(2, 0.5F).bytes()) == "150000003f");
    CHECK(hex(protobuf_message{}.float64(1, 1).bytes()) == "09000000000000f03f");
  }

  TEST_CASE("the first record of a file is, byte for byte, what TensorFlow writes") {
    CHECK(hex(event_record(version_event(1.0)))
          == "1800000000000000a37f4b2209000000000000f03f1a0d627261696e2e4576656e743a3286bf577a");
  }

  TEST_CASE("the record of a scalar is, byte for byte, what TensorFlow writes") {
    const std::vector<scalar> loss{{"loss", 0.5}};
    CHECK(hex(event_record(scalars_event(2.0, 5, loss)))
          == "1a00000000000000129bd82d09000000000000004010052a0d0a0b0a046c6f7373150000003fdb81a714");
  }

  TEST_CASE("a scalar of zero is written, not left out") {
    const std::vector<scalar> zero{{"x", 0}};
    CHECK(hex(scalars_event(2.0, 5, zero)) == "09000000000000004010052a0a0a080a01781500000000");
  }

  TEST_CASE("several scalars of a step share an event") {
    const std::vector<scalar> both{{"a", 0.5}, {"b", 0.5}};
    CHECK(hex(scalars_event(2.0, 5, both)) == "09000000000000004010052a140a080a0161150000003f0a080a0162150000003f");
  }

  TEST_CASE("a session start says START and its step") {
    CHECK(hex(session_start_event(1.0, 301)) == "09000000000000f03f10ad023a020801");
  }

  TEST_CASE("an image is a PNG with its size and colour space") {
    CHECK(hex(image_event(1.0, 3, "cm", 200, 100, "PNG"))
          == "09000000000000f03f1003"
             "2a14"
             "0a12"
             "0a02636d"
             "220c"
             "0864"
             "10c801"
             "1803"
             "2203504e47");
  }

  TEST_CASE("hyper-parameters are the plugin's session start, each with its type") {
    const auto event = hparams_event(1.0, {{"amp", true}, {"lr", 0.5}, {"opt", std::string("sgd")}}, "g");
    const std::string amp = "0a09"
                            "0a03616d70"
                            "12022001";
    const std::string lr = "0a0f"
                           "0a026c72"
                           "1209"
                           "11000000000000e03f";
    const std::string opt = "0a0c"
                            "0a036f7074"
                            "1205"
                            "1a03736764";
    CHECK(hex(event).find(amp + lr + opt
                          + "220167"
                            "29000000000000f03f")
          != std::string::npos);
    CHECK(event.find("_hparams_/session_start_info") != std::string::npos);
    CHECK(event.find("\x0a\x07hparams") != std::string::npos);
    // The value is a float tensor of shape [0].
    CHECK(hex(event).find("4208"
                          "0801"
                          "1204"
                          "12020800")
          != std::string::npos);
  }

  TEST_CASE("the end of a session carries its status") {
    const auto event = hparams_end_event(1.0, session_status::failure);
    CHECK(event.find("_hparams_/session_end_info") != std::string::npos);
    CHECK(hex(event).find("220b"
                          "0802"
                          "11000000000000f03f")
          != std::string::npos);
  }

  TEST_CASE("a new file begins with the version and a session start at the run's first step") {
    const temporary_folder folder;
    const auto file = event_file::open(folder.path(), some_name, 1.0, 0);
    REQUIRE(file);
    CHECK(file->path() == folder.path("events.out.tfevents.1700000000.host.42.0"));
    CHECK(read_text(file->path()) == event_record(version_event(1.0)) + event_record(session_start_event(1.0, 1)));
  }

  TEST_CASE("a resumed run's session starts after the resumed step, so that readers keep the step itself") {
    const temporary_folder folder;
    const auto file = event_file::open(folder.path(), some_name, 1.0, 300);
    REQUIRE(file);
    CHECK(read_text(file->path()) == event_record(version_event(1.0)) + event_record(session_start_event(1.0, 301)));
  }

  TEST_CASE("every record is in the file as soon as append returns") {
    const temporary_folder folder;
    auto file = event_file::open(folder.path(), some_name, 1.0, 0);
    REQUIRE(file);
    const auto head = read_text(file->path());
    const auto event = scalars_event(2.0, 5, train_scalars({}));
    REQUIRE(file->append(event));
    CHECK(read_text(file->path()) == head + event_record(event));
  }

  TEST_CASE("a file's name sorts after those that are there, whatever the clock says") {
    const temporary_folder folder;
    write_text(folder.path("events.out.tfevents.1800000000.host.7.0"), "");
    write_text(folder.path("events.out.tfevents.notime"), "");
    write_text(folder.path("metrics.csv"), "");
    const auto file = event_file::open(folder.path(), some_name, 1.0, 300);
    REQUIRE(file);
    CHECK(file->path() == folder.path("events.out.tfevents.1800000001.host.42.0"));
  }

  TEST_CASE("a name has ten digits of time and no slash") {
    CHECK(to_string(event_file_name{7, "h", 1, 2}) == "events.out.tfevents.0000000007.h.1.2");
    const temporary_folder folder;
    const auto file = event_file::open(folder.path(), {7, "../evil", 1, 2}, 1.0, 0);
    REQUIRE(file);
    CHECK(std::filesystem::path(file->path()).parent_path() == folder.path());
  }

  TEST_CASE("a folder that is not there is an error that names it") {
    const auto file = event_file::open("/nowhere/at/all", some_name, 1.0, 0);
    REQUIRE(!file);
    CHECK(file.error().code == ec::not_found);
    CHECK(file.error().context.find("/nowhere/at/all") != std::string::npos);
  }

  TEST_CASE("curves have their agreed names") {
    const auto names = [](const std::vector<scalar>& scalars) {
      std::vector<std::string> tags;
      for (const auto& x : scalars)
        tags.push_back(x.tag);
      return tags;
    };
    CHECK(names(train_scalars({}))
          == std::vector<std::string>{"loss/train", "accuracy/train", "learning_rate", "samples_per_second",
                                      "data_wait_share"});
    CHECK(names(validation_scalars({}))
          == std::vector<std::string>{"loss/validation", "top1/validation", "topk/validation"});
    validation_report report;
    report.figures = {{"f1", 0.25}};
    const auto figure = validation_scalars(report).back();
    CHECK(figure.tag == "f1/validation");
    CHECK(figure.value == 0.25);
    metrics_row row;
    row.loss = 1;
    row.accuracy = 2;
    row.learning_rate = 3;
    row.samples_per_second = 4;
    row.data_wait_share = 5;
    double expected_value = 1;
    for (const auto& x : train_scalars(row))
      CHECK(x.value == expected_value++);
  }

} // TEST_SUITE
