/// Makes the file calls of a program fail on purpose; preloaded with LD_PRELOAD.
///
///   TROUPE_FAULT_PATH   only calls on this folder and what is in it are counted
///   TROUPE_FAULT        op:k:what - at the k-th counted call of kind `op` (or `any`), once:
///                         EIO, ENOSPC, EINTR ...  the call fails with this error and does nothing
///                         kill                    the process is killed (SIGKILL) before the call
///                         torn                    half of a write is done, then the process is killed
///                         short                   half of a write is done, and said so
///                       where `what` makes no sense for the call (torn and short for all but writes), it does nothing
///   TROUPE_FAULT_LOG    a file to which "op path" (and the new name, for a rename) is appended for each counted call
///
/// Counted kinds: open write fsync close rename symlink unlink mkdir. An `open` for reading counts too.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

enum class action { none, error, kill, torn, brief };

struct fault_plan {
  std::string folder;
  std::string op;
  long at = 0;
  action what = action::none;
  int error = 0;
  int log = -1;
};

struct error_name {
  const char* name;
  int number;
};

constexpr error_name error_names[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},  {"EROFS", EROFS},
                                      {"EACCES", EACCES}, {"EMFILE", EMFILE}, {"EDQUOT", EDQUOT}};

std::string env(const char* name) {
  auto text = std::getenv(name);
  return text == nullptr ? "" : text;
}

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "fault_shim: %s\n", why.c_str());
  std::_Exit(99);
}

void parse_fault(const std::string& text, fault_plan& plan) {
  auto first = text.find(':');
  auto second = text.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    give_up("TROUPE_FAULT is '" + text + "', expected op:k:what");
  plan.op = text.substr(0, first);
  plan.at = std::atol(text.substr(first + 1, second - first - 1).c_str());
  auto what = text.substr(second + 1);
  plan.what = what == "kill"    ? action::kill
              : what == "torn"  ? action::torn
              : what == "short" ? action::brief
                                : action::error;
  for (auto& x : error_names)
    if (what == x.name)
      plan.error = x.number;
  if (plan.what == action::error && plan.error == 0)
    give_up("unknown fault '" + what + "'");
}

const fault_plan& plan() {
  static const fault_plan the_plan = [] {
    fault_plan result;
    result.folder = env("TROUPE_FAULT_PATH");
    if (auto text = env("TROUPE_FAULT"); !text.empty())
      parse_fault(text, result);
    if (auto path = env("TROUPE_FAULT_LOG"); !path.empty())
      result.log = static_cast<int>(
        ::syscall(SYS_openat, AT_FDCWD, path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    return result;
  }();
  return the_plan;
}

template <class F>
F next(const char* name) {
  auto address = ::dlsym(RTLD_NEXT, name);
  if (address == nullptr)
    give_up(std::string{"no "} + name);
  return reinterpret_cast<F>(address);
}

std::string path_of(int fd) {
  char target[4096];
  auto link = "/proc/self/fd/" + std::to_string(fd);
  auto length = ::readlink(link.c_str(), target, sizeof target);
  return length < 0 ? "" : std::string{target, static_cast<std::size_t>(length)};
}

std::string path_of(int folder, const char* path) {
  if (path[0] == '/' || folder == AT_FDCWD)
    return path;
  return path_of(folder) + "/" + path;
}

bool is_counted(const std::string& path) {
  auto& folder = plan().folder;
  return !folder.empty() && path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Counts the call and says what is to become of it.
action judge(const char* op, const std::string& path, const std::string& new_path = {}) {
  if (!is_counted(path))
    return action::none;
  static std::atomic<long> num_calls = 0;
  if (plan().log >= 0) {
    auto line = op + (" " + path) + (new_path.empty() ? "" : " " + new_path) + "\n";
    (void)::syscall(SYS_write, plan().log, line.data(), line.size());
  }
  if (plan().op != "any" && plan().op != op)
    return action::none;
  if (++num_calls != plan().at)
    return action::none;
  if (plan().what == action::kill)
    ::raise(SIGKILL);
  return plan().what;
}

bool fails(const char* op, const std::string& path, const std::string& new_path = {}) {
  if (judge(op, path, new_path) != action::error)
    return false;
  errno = plan().error;
  return true;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

template <class Write>
ssize_t faulty_write(int fd, std::size_t count, Write write) {
  auto what = judge("write", path_of(fd));
  if (what == action::error) {
    errno = plan().error;
    return -1;
  }
  if (what == action::torn) {
    (void)write(count / 2);
    ::raise(SIGKILL);
  }
  return write(what == action::brief && count > 1 ? count / 2 : count);
}

} // namespace

extern "C" {

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  auto mode = mode_of(flags, arguments);
  va_end(arguments);
  static auto real = next<int (*)(int, const char*, int, ...)>("openat");
  return fails("open", path_of(folder, path)) ? -1 : real(folder, path, flags, mode);
}

int openat64(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  auto mode = mode_of(flags, arguments);
  va_end(arguments);
  return openat(folder, path, flags | O_LARGEFILE, mode);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  auto mode = mode_of(flags, arguments);
  va_end(arguments);
  return openat(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  auto mode = mode_of(flags, arguments);
  va_end(arguments);
  return openat(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

ssize_t write(int fd, const void* bytes, size_t count) {
  static auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  return faulty_write(fd, count, [&](std::size_t part) { return real(fd, bytes, part); });
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  static auto real = next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return faulty_write(fd, count, [&](std::size_t part) { return real(fd, bytes, part, offset); });
}

int fsync(int fd) {
  static auto real = next<int (*)(int)>("fsync");
  return fails("fsync", path_of(fd)) ? -1 : real(fd);
}

int fdatasync(int fd) {
  static auto real = next<int (*)(int)>("fdatasync");
  return fails("fsync", path_of(fd)) ? -1 : real(fd);
}

// As Linux does it: the descriptor is gone even where close reports an error.
int close(int fd) {
  static auto real = next<int (*)(int)>("close");
  auto failed = fails("close", path_of(fd));
  auto error = errno;
  auto result = real(fd);
  if (!failed)
    return result;
  errno = error;
  return -1;
}

int renameat(int old_folder, const char* old_path, int new_folder, const char* new_path) {
  static auto real = next<int (*)(int, const char*, int, const char*)>("renameat");
  auto failed = fails("rename", path_of(old_folder, old_path), path_of(new_folder, new_path));
  return failed ? -1 : real(old_folder, old_path, new_folder, new_path);
}

int rename(const char* old_path, const char* new_path) {
  return renameat(AT_FDCWD, old_path, AT_FDCWD, new_path);
}

int symlinkat(const char* target, int folder, const char* path) {
  static auto real = next<int (*)(const char*, int, const char*)>("symlinkat");
  return fails("symlink", path_of(folder, path)) ? -1 : real(target, folder, path);
}

int symlink(const char* target, const char* path) {
  return symlinkat(target, AT_FDCWD, path);
}

int unlinkat(int folder, const char* path, int flags) {
  static auto real = next<int (*)(int, const char*, int)>("unlinkat");
  return fails("unlink", path_of(folder, path)) ? -1 : real(folder, path, flags);
}

int unlink(const char* path) {
  return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char* path) {
  return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int mkdirat(int folder, const char* path, mode_t mode) {
  static auto real = next<int (*)(int, const char*, mode_t)>("mkdirat");
  return fails("mkdir", path_of(folder, path)) ? -1 : real(folder, path, mode);
}

int mkdir(const char* path, mode_t mode) {
  return mkdirat(AT_FDCWD, path, mode);
}

} // extern "C"
