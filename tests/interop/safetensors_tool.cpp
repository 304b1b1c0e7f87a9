/// Both halves of a conversation about safetensors files with another implementation: see safetensors_reader.py.
///
///   safetensors_tool write FILE   writes one tensor of each kind, with values that the other side knows
///   safetensors_tool read FILE    prints "NAME TYPE [SHAPE] BYTES-IN-HEX" per tensor in the file's order, then
///                                 "metadata KEY VALUE" per entry; on refusal "refused CODE" and exit 1
#include "actors/saver/safetensors.hpp"
#include "actors/saver/safetensors_header.hpp"
#include "actors/support/file_io.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace troupe;

template <class T>
named_tensor tensor_of(std::string name, dtype type, std::vector<std::int64_t> shape, const std::vector<T>& values) {
  auto num_bytes = values.size() * sizeof(T);
  std::shared_ptr<std::byte> bytes{new std::byte[num_bytes], std::default_delete<std::byte[]>{}};
  if (num_bytes > 0)
    std::memcpy(bytes.get(), values.data(), num_bytes);
  return {std::move(name), {std::move(shape), type, std::move(bytes)}};
}

int complain(const failure& why) {
  std::cout << "refused " << to_string(why.code) << '\n';
  std::cerr << to_string(why) << '\n';
  return EXIT_FAILURE;
}

int write(const std::string& path) {
  const std::vector<named_tensor> tensors{
    tensor_of<float>("layer1.0.conv1.weight", dtype::f32, {2, 3}, {0, 1, -2, 0.5f, 1e-45f, 3.4028235e38f}),
    tensor_of<double>("double", dtype::f64, {1}, {0.1}),
    tensor_of<std::int64_t>("bn.num_batches_tracked", dtype::i64, {}, {-5}),
    tensor_of<std::int32_t>("int", dtype::i32, {1, 2}, {INT32_MIN, INT32_MAX}),
    tensor_of<std::uint16_t>("half", dtype::f16, {2}, {0x3C00, 0xFBFF}),
    tensor_of<std::uint16_t>("brain", dtype::bf16, {1}, {0x3F80}),
    tensor_of<std::uint8_t>("byte", dtype::u8, {3}, {0, 127, 255}),
    tensor_of<std::uint8_t>("flag", dtype::boolean, {2}, {1, 0}),
    tensor_of<float>("empty", dtype::f32, {0, 4}, {}),
    tensor_of<float>("name \"\u00fc\\\n", dtype::f32, {1}, {7})};
  auto file = output_file::create(path);
  if (!file)
    return complain(file.error());
  if (auto written = write_safetensors(*file, tensors, {{"format", "pt"}, {"gr\u00f6\u00dfe", "1\t2"}}); !written)
    return complain(written.error());
  if (auto closed = file->close(); !closed)
    return complain(closed.error());
  return EXIT_SUCCESS;
}

int read(const std::string& path) {
  auto file = read_safetensors(path);
  if (!file)
    return complain(file.error());
  for (auto& x : file->tensors) {
    std::cout << x.name << ' ' << safetensors_name(x.value.type) << " [";
    for (std::size_t i = 0; i < x.value.shape.size(); ++i)
      std::cout << (i == 0 ? "" : ",") << x.value.shape[i];
    std::cout << "] ";
    for (std::size_t i = 0; i < x.value.num_bytes(); ++i)
      std::printf("%02x", std::to_integer<unsigned>(x.value.bytes.get()[i]));
    std::fflush(stdout);
    std::cout << std::endl;
  }
  for (auto& [key, value] : file->metadata)
    std::cout << "metadata " << key << ' ' << value << '\n';
  return EXIT_SUCCESS;
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "write") == 0)
    return write(argv[2]);
  if (argc == 3 && std::strcmp(argv[1], "read") == 0)
    return read(argv[2]);
  std::cerr << "usage: safetensors_tool write|read FILE\n";
  return 2;
}
