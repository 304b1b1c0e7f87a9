/// libjpeg's decompressor with errors as values. For `jpeg_decoder.cpp`.
#pragma once

#include "messages/failure.hpp"

#include <cstddef>
#include <cstdio> // jpeglib.h needs FILE.
#include <jpeglib.h>

#include <csetjmp>
#include <string>
#include <type_traits>

namespace troupe {

/// libjpeg reports an error by a call that must not return: ours jumps back to `attempt`.
struct jpeg_errors {
  jpeg_error_mgr base{}; ///< First, so that libjpeg's pointer to it is one to this.
  std::jmp_buf back{};
  int code = 0;
  char text[JMSG_LENGTH_MAX] = {};
};

/// One decompressor, used for one file after the other.
class jpeg_session {
public:
  jpeg_session();
  ~jpeg_session();
  jpeg_session(const jpeg_session&) = delete;
  jpeg_session& operator=(const jpeg_session&) = delete;

  jpeg_decompress_struct lib{};

  /// Runs `step`, which calls libjpeg; false if libjpeg found an error or damaged data: `error` says what then, and the
  /// decompressor is ready for the next file.
  /// `step` is left by longjmp: whatever it makes must not need a destructor.
  template <class Step>
  [[nodiscard]] bool attempt(const Step& step) {
    static_assert(std::is_trivially_destructible_v<Step>);
    if (setjmp(errors_.back) != 0) {
      jpeg_abort_decompress(&lib);
      return false;
    }
    step();
    return true;
  }

  [[nodiscard]] failure error() const;

private:
  jpeg_errors errors_;
  jpeg_progress_mgr progress_{};
};

} // namespace troupe
