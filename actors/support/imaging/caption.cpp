#include "actors/support/imaging/caption.hpp"

namespace troupe {

int caption_width(const std::string& text, double scale) {
  int baseline = 0;
  return cv::getTextSize(text, caption_font, scale, 1, &baseline).width;
}

std::string fitting_caption(std::string text, int room, double scale) {
  for (char& c : text)
    if (c < ' ' || c > '~')
      c = '?';
  if (caption_width(text, scale) <= room)
    return text;
  while (!text.empty() && caption_width(text + "..", scale) > room)
    text.pop_back();
  return text + "..";
}

} // namespace troupe
