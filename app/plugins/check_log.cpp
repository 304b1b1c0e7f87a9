#include "app/plugins/check_log.hpp"

#include "actors/support/figures.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

namespace troupe {

namespace {

constexpr char end_of_field = '\x1f';
constexpr char end_of_finding = '\x1e';
constexpr int left_well = 0;
constexpr int threw = 1;

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

std::string read_all(int fd) {
  std::string out;
  std::array<char, 4096> part{};
  for (;;) {
    const auto count = ::read(fd, part.data(), part.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return out;
    out.append(part.data(), static_cast<std::size_t>(count));
  }
}

/// A text of a plugin's may be of any bytes; that it has no control characters keeps fields apart.
std::string packed(const finding& x) {
  return fmt::format("{}{}{}{}{}{}", static_cast<char>('0' + static_cast<int>(x.how)), end_of_field,
                     printable(x.property), end_of_field, printable(x.text), end_of_finding);
}

std::vector<finding> unpacked(std::string_view all, const std::string& part) {
  std::vector<finding> out;
  for (auto end = all.find(end_of_finding); end != std::string_view::npos; end = all.find(end_of_finding)) {
    const auto one = all.substr(0, end);
    const auto property_end = one.find(end_of_field, 2);
    out.push_back({part, std::string(one.substr(2, property_end - 2)), static_cast<finding_kind>(one.front() - '0'),
                   std::string(one.substr(property_end + 1))});
    all.remove_prefix(end + 1);
  }
  return out;
}

[[noreturn]] void run_as_child(int fd, const std::string& part, unsigned seconds,
                               const std::function<void(check_log&)>& check) {
  for (const int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, SIG_DFL);
  ::alarm(seconds);
  check_log log{part, [fd](const finding& x) { write_all(fd, packed(x)); }};
  const bool ended_well = log.survives("does not throw", [&] { check(log); });
  ::_exit(ended_well ? left_well : threw);
}

/// How the process ended, if not well.
std::optional<std::string> end_of(pid_t child, unsigned seconds) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return fmt::format("it took longer than {} s", seconds);
  if (WIFSIGNALED(status))
    return fmt::format("it ended the process by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) != left_well && WEXITSTATUS(status) != threw)
    return fmt::format("it ended the process with code {}", WEXITSTATUS(status));
  return std::nullopt;
}

} // namespace

const char* to_string(finding_kind x) noexcept {
  switch (x) {
  case finding_kind::good:
    return "good";
  case finding_kind::bad:
    return "bad";
  case finding_kind::not_checked:
    return "not_checked";
  }
  return "unknown";
}

std::vector<finding> check_apart(const std::string& part, unsigned seconds,
                                 const std::function<void(check_log&)>& check) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0)
    return {{part, "runs", finding_kind::not_checked, "no pipe can be made"}};
  const auto child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    run_as_child(ends[1], part, seconds, check);
  }
  ::close(ends[1]);
  const auto told = child < 0 ? std::string{} : read_all(ends[0]);
  ::close(ends[0]);
  if (child < 0)
    return {{part, "runs", finding_kind::not_checked, "no process can be made"}};
  auto out = unpacked(told, part);
  if (const auto how = end_of(child, seconds))
    out.push_back({part, "survives", finding_kind::bad,
                   *how + (out.empty() ? std::string{} : ", after the check \"" + out.back().property + "\"")});
  return out;
}

} // namespace troupe
