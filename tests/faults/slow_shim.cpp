/// Makes the files below a folder slow, as on a bad disk; preloaded with LD_PRELOAD.
///
///   TROUPE_SLOW_PATH      only files in this folder, and in those below it
///   TROUPE_SLOW_OPEN_MS   milliseconds that opening one of them takes longer
///   TROUPE_SLOW_FSYNC_MS  milliseconds that fsync and fdatasync of one take longer
#include <chrono>
#include <cstdarg>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

std::string env(const char* name) {
  const auto* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

bool is_slow(std::string_view path) {
  static const auto folder = env("TROUPE_SLOW_PATH");
  return !folder.empty() && path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

std::string path_of(int fd) {
  char target[4096];
  const auto link = "/proc/self/fd/" + std::to_string(fd);
  const auto length = ::readlink(link.c_str(), target, sizeof target);
  return length < 0 ? "" : std::string{target, static_cast<std::size_t>(length)};
}

void wait_for(const char* variable) {
  std::this_thread::sleep_for(std::chrono::milliseconds(std::atol(env(variable).c_str())));
}

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

int slow_open(int folder, const char* path, int flags, mode_t mode) {
  static const auto real = next<int (*)(int, const char*, int, ...)>("openat");
  const auto fd = real(folder, path, flags, mode);
  if (fd >= 0 && is_slow(path_of(fd)))
    wait_for("TROUPE_SLOW_OPEN_MS");
  return fd;
}

} // namespace

extern "C" {

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = mode_of(flags, arguments);
  va_end(arguments);
  return slow_open(folder, path, flags, mode);
}

int openat64(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = mode_of(flags, arguments);
  va_end(arguments);
  return slow_open(folder, path, flags | O_LARGEFILE, mode);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = mode_of(flags, arguments);
  va_end(arguments);
  return slow_open(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = mode_of(flags, arguments);
  va_end(arguments);
  return slow_open(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int fsync(int fd) {
  static const auto real = next<int (*)(int)>("fsync");
  if (is_slow(path_of(fd)))
    wait_for("TROUPE_SLOW_FSYNC_MS");
  return real(fd);
}

int fdatasync(int fd) {
  static const auto real = next<int (*)(int)>("fdatasync");
  if (is_slow(path_of(fd)))
    wait_for("TROUPE_SLOW_FSYNC_MS");
  return real(fd);
}

} // extern "C"
