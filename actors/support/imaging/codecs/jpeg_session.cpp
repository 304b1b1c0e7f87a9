#include "actors/support/imaging/codecs/jpeg_session.hpp"

#include <jerror.h>
#include <new>

namespace troupe {

namespace {

/// Encoders write about ten; a file of thousands is made to keep a decoder busy.
constexpr int max_scans = 200;

jpeg_errors& errors_of(j_common_ptr lib) noexcept {
  return *reinterpret_cast<jpeg_errors*>(lib->err);
}

[[noreturn]] void fail(j_common_ptr lib) {
  auto& errors = errors_of(lib);
  errors.code = errors.base.msg_code;
  errors.base.format_message(lib, errors.text);
  std::longjmp(errors.back, 1);
}

/// True for warnings after which the pixels are right all the same.
bool is_harmless(j_common_ptr lib) noexcept {
  switch (lib->err->msg_code) {
  case JWRN_JFIF_MAJOR:
  case JWRN_ADOBE_XFORM:
    return true;
  case JWRN_EXTRANEOUS_DATA: // Between the segments of the header; inside of the pixels, it is damage.
    return reinterpret_cast<j_decompress_ptr>(lib)->input_scan_number == 0;
  default:
    return false;
  }
}

/// libjpeg goes on after damage, with grey for what it misses: we do not.
void on_message(j_common_ptr lib, int level) {
  if (level < 0 && !is_harmless(lib))
    fail(lib);
}

void print_nothing(j_common_ptr /*lib*/) {}

void limit_scans(j_common_ptr lib) {
  if (reinterpret_cast<j_decompress_ptr>(lib)->input_scan_number <= max_scans)
    return;
  lib->err->msg_code = JERR_BAD_PROGRESSION;
  fail(lib);
}

/// Errors that are about what libjpeg can do, not about the file.
bool is_unsupported(int code) noexcept {
  switch (code) {
  case JERR_ARITH_NOTIMPL:
  case JERR_BAD_PRECISION:
  case JERR_CCIR601_NOTIMPL:
  case JERR_COMPONENT_COUNT:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_NOTIMPL:
  case JERR_SOF_UNSUPPORTED:
    return true;
  default:
    return false;
  }
}

} // namespace

jpeg_session::jpeg_session() {
  lib.err = jpeg_std_error(&errors_.base);
  errors_.base.error_exit = fail;
  errors_.base.emit_message = on_message;
  errors_.base.output_message = print_nothing;
  if (!attempt([this] { jpeg_create_decompress(&lib); }))
    throw std::bad_alloc{};
  progress_.progress_monitor = limit_scans;
  lib.progress = &progress_;
}

jpeg_session::~jpeg_session() {
  jpeg_destroy_decompress(&lib);
}

failure jpeg_session::error() const {
  return {is_unsupported(errors_.code) ? ec::unsupported : ec::corrupt,
          std::string{"cannot be decoded (JPEG): "} + errors_.text};
}

} // namespace troupe
