/// Tar archives to read.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace troupe::testing {

enum class tar_kind { ustar, pax, gnu };

/// Writes an archive of these members: {name, bytes}.
inline void write_tar(const std::string& path, const std::vector<std::pair<std::string, std::string>>& members,
                      tar_kind kind = tar_kind::ustar, bool gzip = false) {
  auto* out = archive_write_new();
  if (kind == tar_kind::ustar)
    archive_write_set_format_ustar(out);
  else if (kind == tar_kind::pax)
    archive_write_set_format_pax(out);
  else
    archive_write_set_format_gnutar(out);
  if (gzip)
    archive_write_add_filter_gzip(out);
  if (archive_write_open_filename(out, path.c_str()) != ARCHIVE_OK)
    throw std::runtime_error("cannot write " + path);
  for (const auto& [name, bytes] : members) {
    auto* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    if (archive_write_header(out, entry) != ARCHIVE_OK)
      throw std::runtime_error(archive_error_string(out));
    archive_write_data(out, bytes.data(), bytes.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

} // namespace troupe::testing
