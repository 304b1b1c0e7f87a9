#include "app/plugins/plugin_loader.hpp"

#include "actors/plugin/plugin.hpp"
#include "actors/plugin/plugin_entry.hpp"
#include "tests/app/plugins/plugin_files.hpp"

#include <cstdlib>
#include <filesystem>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// What went wrong; "" if nothing did.
std::string refusal(const std::string& wanted, const std::string& folder = ".") {
  const auto loaded = load_plugin(wanted, folder);
  return loaded ? "" : to_string(loaded.error());
}

std::string refusal_of_moody(const char* offer) {
  setenv("TROUPE_TEST_OFFER", offer, 1);
  const auto num_transforms = component_registry::instance().transforms.size();
  auto why = refusal(built_plugin("moody"));
  CHECK(component_registry::instance().transforms.size() == num_transforms);
  return why;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE_BEGIN("app/plugins");

TEST_CASE("a plugin that was built for something else is refused before any of its code runs") {
  const scratch_folder folder;
  const auto path = folder / "other.so";
  const auto good = bytes_of(built_plugin("moody"));
  const std::string_view mark = TROUPE_BUILD_ID;
  unsetenv("TROUPE_TEST_RAN");
  SUBCASE("another API, which is looked at first") {
    put_file(path, patched(patched(good, mark, -8, std::string_view("\7\0\0\0", 4)), mark, 0, "h"));
    const auto why = refusal(path);
    CHECK(has(why, path + ": its plugin API is 7, expected 1: rebuild it"));
    CHECK(load_plugin(path, ".").error().code == ec::mismatch);
  }
  SUBCASE("another build") {
    put_file(path, patched(good, mark, 4, "9"));
    CHECK(has(refusal(path), "expected \"" TROUPE_BUILD_ID "\""));
  }
  SUBCASE("another layout") {
    put_file(path, patched(good, mark, 192 + 32, "12345678"));
    CHECK(has(refusal(path), "its layout of messages is 3837363534333231"));
  }
  SUBCASE("another LibTorch") {
    put_file(path, patched(good, mark, 192, "0.4"));
    CHECK(has(refusal(path), "its LibTorch is 0.4, expected "));
  }
  SUBCASE("a malformed name") {
    put_file(path, patched(good, mark, 192 + 32 + 8, "M"));
    CHECK(has(refusal(path), "its name is \"Moody\", expected a name in snake_case"));
  }
  SUBCASE("a name that does something to a terminal") {
    put_file(path, patched(good, mark, 192 + 32 + 8, "\x1b[2J"));
    CHECK(has(refusal(path), "its name is \"?[2Jy\""));
  }
  CHECK(std::getenv("TROUPE_TEST_RAN") == nullptr);
}

TEST_CASE("a file that is no plugin is refused") {
  const scratch_folder folder;
  const auto path = folder / "none.so";
  const auto good = bytes_of(built_plugin("moody"));
  unsetenv("TROUPE_TEST_RAN");
  SUBCASE("text") {
    put_file(path, "not a library");
    CHECK(has(refusal(path), path + ": is no 64-bit ELF shared library"));
  }
  SUBCASE("nothing") {
    put_file(path, "");
    CHECK(has(refusal(path), "is no 64-bit ELF shared library"));
  }
  SUBCASE("a library without the symbol") {
    put_file(path, patched(good, "troupe_plugin", 0, "y"));
    CHECK(has(refusal(path), "does not define the symbol troupe_plugin"));
  }
  SUBCASE("any beginning of a plugin") {
    for (std::size_t size = 1; size < good.size(); size += good.size() / 37) {
      put_file(path, good.substr(0, size));
      CHECK(load_plugin(path, ".").error().code == ec::bad_data);
    }
  }
  CHECK(std::getenv("TROUPE_TEST_RAN") == nullptr);
}

TEST_CASE("a library that the system cannot load is refused with the system's words") {
  const scratch_folder folder;
  put_file(folder / "lacking.so", patched(bytes_of(built_plugin("moody")), "libstdc++.so.6", 0, "libstdc++.so.9"));
  const auto why = refusal(folder / "lacking.so");
  CHECK_MESSAGE(has(why, "lacking.so: cannot be loaded: libstdc++.so.9: cannot open"), why);
}

TEST_CASE("what is not found is told with all places") {
  const scratch_folder folder;
  CHECK(has(refusal("nowhere", folder.path()), folder / "nowhere.so, " + folder / "libnowhere.so, "));
  CHECK(has(refusal("./nowhere.so", folder.path()), folder / "nowhere.so, "));
  CHECK(has(refusal("", folder.path()), "names no plugin"));
}

TEST_CASE("a plugin is found in the first of the folders") {
  const scratch_folder folder;
  std::filesystem::create_directories(folder / "first");
  std::filesystem::create_directories(folder / "second");
  setenv("TROUPE_PLUGIN_PATH", ("::" + folder / "first" + ":" + folder / "second").c_str(), 1);
  put_file(folder / "second/some.so", "text");
  CHECK(has(refusal("some"), folder / "second/some.so: is no"));
  put_file(folder / "first/libsome.so", "text");
  CHECK(has(refusal("some"), folder / "first/libsome.so: is no"));
  put_file(folder / "libsome.so", "text");
  CHECK(has(refusal("some", folder.path()), folder / "libsome.so: is no"));
  put_file(folder / "some.so", "text");
  CHECK(has(refusal("some", folder.path()), folder / "some.so: is no"));
  CHECK(has(refusal("some.so", folder.path()), folder / "some.so: is no"));
  CHECK(has(refusal("first/libsome.so", folder.path()), folder / "first/libsome.so: is no"));
  unsetenv("TROUPE_PLUGIN_PATH");
}

TEST_CASE("a plugin that is refused leaves nothing behind, and one that is loaded is there once") {
  SUBCASE("whatever it throws") {
    CHECK(has(refusal_of_moody("runtime_error"), "(plugin moody): it threw while it said what it offers: the licence"));
    CHECK(load_plugin(built_plugin("moody"), ".").error().code == ec::plugin_failed);
    CHECK(has(refusal_of_moody("int"), "it threw while it said what it offers: "));
    CHECK(has(refusal_of_moody("own_type"), "it threw while it said what it offers: "));
  }
  SUBCASE("names that are taken or malformed") {
    CHECK(has(refusal_of_moody("built_in_transform"), "transform \"random_crop\": is called like a built-in one"));
    CHECK(load_plugin(built_plugin("moody"), ".").error().code == ec::bad_config);
    CHECK(has(refusal_of_moody("built_in_metric"), "metric \"topk\": is called like a built-in one"));
    CHECK(has(refusal_of_moody("class_metric"), "metric \"acc_cat\": is called like a column of Troupe's"));
    CHECK(has(refusal_of_moody("twice"), "transform \"again\": is offered twice"));
    CHECK(has(refusal_of_moody("bad_name"), "transform \"Half Way\": expected a name in snake_case"));
    CHECK(has(refusal_of_moody("no_maker"), "decoder \"none\": has nothing that makes it"));
  }
  SUBCASE("parameters that no config could set") {
    const auto why = refusal_of_moody("bad_parameters");
    CHECK_FALSE(has(why, "\"instances\"")); // Of actors alone.
    CHECK(has(why, "parameter \"clip\": its default 200 is not within 0..100"));
    CHECK(has(why, "parameter \"mode\": its default \"soft\" is none of its choices hard, none"));
    CHECK(has(why, "parameter \"on\": is there twice"));
    CHECK(has(why, "parameter \"range\": its default 5 is not within 0..2"));
    CHECK(has(why, "parameter \"low\": its bounds are 2..1"));
    CHECK(has(why, "parameter \"gap\": its bounds are 0.2..0.8, with nothing between them"));
    CHECK(has(why, "parameter \"title\": its default has a control character"));
    CHECK(has(why, "parameter \"story\": its default has 4097 bytes, expected at most 4096"));
    CHECK(has(why, "parameter \"motto\": its default is not UTF-8"));
    CHECK(has(why, "parameter \"tone\": a choice has a control character"));
    CHECK(has(why, "parameter \"reach\": its default is inf, expected a finite number"));
  }
  SUBCASE("parameters of an actor that are called like its keys") {
    const auto why = refusal_of_moody("bad_actor");
    CHECK(has(why, "actor \"idle\": parameter \"instances\": is called like a key that every actor has"));
    CHECK(has(why, "actor \"idle\": parameter \"validation\": is called like a key that every actor has"));
    CHECK_FALSE(has(why, "on_failure"));
  }
  SUBCASE("a good one, then one that clashes with it, then itself in other ways") {
    const auto sound = load_plugin(built_plugin("sound"), ".");
    REQUIRE_MESSAGE(sound, to_string(sound.error()));
    CHECK(sound->name == "sound");
    CHECK(sound->version == "1.2");
    CHECK(sound->path == std::filesystem::canonical(built_plugin("sound")));
    CHECK(find_component(component_registry::instance().transforms, "halve")->plugin == "sound");
    CHECK(find_component(component_registry::instance().log_sinks, "step_list") != nullptr);
    CHECK(has(refusal_of_moody("taken"), "transform \"halve\": the plugin sound has brought one of that name"));

    const scratch_folder folder;
    const auto num_loaded = loaded_plugins().size();
    const auto num_transforms = component_registry::instance().transforms.size();
    std::filesystem::create_symlink(built_plugin("sound"), folder / "link.so");
    CHECK(load_plugin(folder / "link.so", ".")->path == sound->path);
    CHECK(load_plugin("sound", TROUPE_BINARY_DIR "/tests/plugins")->digest == sound->digest);
    put_file(folder / "copy.so", bytes_of(built_plugin("sound")));
    CHECK(has(refusal(folder / "copy.so"), "its name is sound, as that of " + sound->path + ", which is loaded"));
    CHECK(loaded_plugins().size() == num_loaded);
    CHECK(component_registry::instance().transforms.size() == num_transforms);
  }
}

TEST_SUITE_END();
