#include "actors/loader/datasets/delimited_text.hpp"

#include <algorithm>

namespace troupe {

delimited_text::delimited_text(std::string_view text, char delimiter) noexcept : rest_(text), delimiter_(delimiter) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (rest_.substr(0, byte_order_mark.size()) == byte_order_mark)
    rest_.remove_prefix(byte_order_mark.size());
}

failure delimited_text::fail(std::uint64_t line, const std::string& what) const {
  return {ec::bad_data, "line " + std::to_string(line) + ": " + what};
}

bool delimited_text::at_line_end() const noexcept {
  return rest_.empty() || rest_[0] == '\n' || rest_.substr(0, 2) == "\r\n" || rest_ == "\r";
}

void delimited_text::skip_line_end() noexcept {
  if (!rest_.empty() && rest_[0] == '\r')
    rest_.remove_prefix(1);
  if (!rest_.empty()) {
    rest_.remove_prefix(1);
    ++line_;
  }
}

expected<std::string> delimited_text::take_quoted() {
  const auto first_line = line_;
  std::string field;
  rest_.remove_prefix(1);
  for (;;) {
    const auto quote = rest_.find('"');
    if (quote == std::string_view::npos)
      return fail(first_line, "a quote is opened and not closed, expected \" at the end of the field");
    const auto part = rest_.substr(0, quote);
    field += part;
    line_ += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
    rest_.remove_prefix(quote + 1);
    if (rest_.substr(0, 1) != "\"")
      break;
    field += '"';
    rest_.remove_prefix(1);
  }
  if (!at_line_end() && rest_[0] != delimiter_)
    return fail(line_, std::string("\"") + rest_[0] + "\" follows a closing quote, expected a delimiter or a line end "
                         + "(a quote within a quoted field is written twice)");
  return field;
}

expected<std::string> delimited_text::take_field() {
  if (rest_.substr(0, 1) == "\"")
    return take_quoted();
  std::size_t size = 0;
  while (size < rest_.size() && rest_[size] != delimiter_ && rest_[size] != '\n')
    ++size;
  auto field = rest_.substr(0, size);
  const bool line_ends = size == rest_.size() || rest_[size] == '\n';
  if (line_ends && !field.empty() && field.back() == '\r')
    field.remove_suffix(1);
  rest_.remove_prefix(field.size());
  return std::string(field);
}

expected<bool> delimited_text::next(std::vector<std::string>& fields) {
  while (!rest_.empty() && at_line_end())
    skip_line_end();
  fields.clear();
  row_line_ = line_;
  if (rest_.empty())
    return false;
  for (;;) {
    auto field = take_field();
    if (!field)
      return std::move(field).error();
    fields.push_back(std::move(*field));
    if (at_line_end())
      break;
    rest_.remove_prefix(1); // The delimiter.
  }
  skip_line_end();
  return true;
}

char guess_delimiter(std::string_view text) noexcept {
  return text.substr(0, text.find('\n')).find('\t') == std::string_view::npos ? ',' : '\t';
}

} // namespace troupe
