#include "actors/loader/datasets/file_names.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE("actors/loader") {
  TEST_CASE("images are told by their extension, in whatever case") {
    for (const char* name :
         {"a.jpg", "a.JPG", "a.Jpeg", "a.jpe", "a.png", "a.bmp", "a.dib", "a.webp", "a.tif", "a.TIFF", "a.jp2", "a.j2k",
          "a.pbm", "a.pgm", "a.ppm", "a.pnm", "a.b.c.png", "a b#.jpg", "\xff.jpg"}) {
      CAPTURE(name);
      CHECK(is_image_name(name));
    }
    for (const char* name : {"", "jpg", ".jpg", "a.", "a.txt", "a.jpg.txt", "Thumbs.db", "ajpg", "a.gif", "._a.jpg"}) {
      CAPTURE(name);
      CHECK_FALSE(is_image_name(name));
    }
  }

  TEST_CASE("clutter is what begins with a dot, and what a Mac leaves in archives") {
    CHECK(is_clutter(".DS_Store"));
    CHECK(is_clutter(".ipynb_checkpoints"));
    CHECK(is_clutter("__MACOSX"));
    CHECK_FALSE(is_clutter("cat"));
    CHECK_FALSE(is_clutter(""));
  }

  TEST_CASE("the base name is behind the last slash") {
    CHECK(base_name("a/b/c.jpg") == "c.jpg");
    CHECK(base_name("c.jpg") == "c.jpg");
  }

  TEST_CASE("a printable path is one line of UTF-8 and keeps what is") {
    CHECK(printable_path("a b#.jpg") == "a b#.jpg");
    CHECK(printable_path("\xd7\x90.jpg") == "\xd7\x90.jpg");
    CHECK(printable_path("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
    CHECK(printable_path("x\n.jpg") == "x\\x0a.jpg");
    CHECK(printable_path("\x7f\x01") == "\\x7f\\x01");
    CHECK(printable_path("caf\xe9.jpg") == "caf\\xe9.jpg");
    // Cut, overlong, a surrogate, above the last code point.
    CHECK(printable_path("\xd7") == "\\xd7");
    CHECK(printable_path("\xc0\xaf") == "\\xc0\\xaf");
    CHECK(printable_path("\xed\xa0\x80") == "\\xed\\xa0\\x80");
    CHECK(printable_path("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  }
}
