#include "app/plugins/plugin_file.hpp"

#include "actors/plugin/plugin_entry.hpp"
#include "actors/support/crc32c.hpp"
#include "actors/support/figures.hpp"
#include "actors/support/file_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace troupe {

namespace {

constexpr std::uint64_t max_file_bytes = std::uint64_t{2} << 30;

/// A file's bytes as ELF structures; nothing that it says about itself is believed.
class elf_file {
public:
  explicit elf_file(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
      return std::nullopt;
    T out;
    std::memcpy(&out, bytes_.data() + offset, sizeof out);
    return out;
  }

  /// Table of `count` entries.
  template <class T>
  [[nodiscard]] std::optional<std::vector<T>> table(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || (bytes_.size() - offset) / sizeof(T) < count)
      return std::nullopt;
    std::vector<T> out(count);
    std::memcpy(out.data(), bytes_.data() + offset, count * sizeof(T));
    return out;
  }

  [[nodiscard]] std::string_view text(std::uint64_t offset) const {
    if (offset >= bytes_.size())
      return {};
    const auto rest = bytes_.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

  [[nodiscard]] std::string_view range(std::uint64_t offset, std::uint64_t size) const {
    return offset > bytes_.size() || bytes_.size() - offset < size ? std::string_view{} : bytes_.substr(offset, size);
  }

private:
  std::string_view bytes_;
};

constexpr const char* truncated = "is truncated";

std::optional<Elf64_Ehdr> library_header(const elf_file& file) {
  const auto header = file.at<Elf64_Ehdr>(0);
  const bool fits = header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
                    && header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB
                    && header->e_type == ET_DYN && header->e_phentsize == sizeof(Elf64_Phdr)
                    && header->e_shentsize == sizeof(Elf64_Shdr);
  return fits ? header : std::nullopt;
}

/// The symbol of that name, if the library defines it.
std::optional<Elf64_Sym> find_symbol(const elf_file& file, const std::vector<Elf64_Shdr>& sections,
                                     std::string_view name) {
  for (const auto& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size())
      continue;
    const auto symbols = file.table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym));
    if (!symbols)
      return std::nullopt;
    const auto names = sections[section.sh_link].sh_offset;
    for (const auto& symbol : *symbols)
      if (symbol.st_shndx != SHN_UNDEF && file.text(names + symbol.st_name) == name)
        return symbol;
  }
  return std::nullopt;
}

/// The bytes behind the symbol as they are in the file.
std::string_view bytes_of(const elf_file& file, const std::vector<Elf64_Phdr>& segments, const Elf64_Sym& symbol) {
  for (const auto& segment : segments) {
    const auto into = symbol.st_value - segment.p_vaddr;
    if (segment.p_type == PT_LOAD && symbol.st_value >= segment.p_vaddr && into < segment.p_filesz
        && symbol.st_size <= segment.p_filesz - into)
      return file.range(segment.p_offset + into, symbol.st_size);
  }
  return {};
}

/// Fit for a terminal, whatever the file holds.
template <std::size_t Size>
std::string text_of_field(const char (&field)[Size]) {
  return printable({field, ::strnlen(field, Size)});
}

plugin_identity identity_in(std::string_view bytes) {
  plugin_entry entry{};
  std::memcpy(static_cast<void*>(&entry), bytes.data(), std::min(bytes.size(), offsetof(plugin_entry, fill)));
  return {entry.api,
          entry.size,
          text_of_field(entry.build),
          text_of_field(entry.torch),
          entry.layout,
          text_of_field(entry.name),
          text_of_field(entry.version),
          {}};
}

expected<plugin_identity> parse(const elf_file& file, const std::string& path) {
  const auto refuse = [&path](std::string_view why) {
    return failure{ec::bad_data, fmt::format("{}: {}, expected a plugin: a shared library with TROUPE_PLUGIN "
                                             "in one of its sources",
                                             path, why)};
  };
  const auto header = library_header(file);
  if (!header)
    return refuse("is no 64-bit ELF shared library");
  const auto segments = file.table<Elf64_Phdr>(header->e_phoff, header->e_phnum);
  const auto sections = file.table<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  if (!segments || !sections)
    return refuse(truncated);
  // The system ends a process that touches a page behind the end of a file.
  for (const auto& each : *segments)
    if (each.p_type == PT_LOAD && each.p_filesz > 0 && file.range(each.p_offset, each.p_filesz).empty())
      return refuse(truncated);
  const auto symbol = find_symbol(file, *sections, plugin_symbol);
  if (!symbol)
    return refuse(fmt::format("does not define the symbol {}", plugin_symbol));
  const auto bytes = bytes_of(file, *segments, *symbol);
  if (bytes.size() < offsetof(plugin_entry, torch))
    return refuse(
      fmt::format("has a symbol {} of {} bytes that is not what TROUPE_PLUGIN makes", plugin_symbol, symbol->st_size));
  return identity_in(bytes);
}

} // namespace

expected<plugin_identity> read_identity(const std::string& path) {
  const auto bytes = read_file(path, max_file_bytes);
  if (!bytes)
    return bytes.error();
  auto identity = parse(elf_file{*bytes}, path);
  if (identity)
    identity->digest = fmt::format("{:08x}-{}", crc32c(std::as_bytes(std::span{*bytes})), bytes->size());
  return identity;
}

} // namespace troupe
