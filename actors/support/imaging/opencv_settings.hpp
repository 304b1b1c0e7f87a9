/// OpenCV as a library among others: it starts no threads and logs nothing.
#pragma once

namespace troupe {

/// Makes OpenCV work on the thread that calls it, and silences its log: parallelism is the actors' business, and so is
/// telling of bad images. Process-wide; may be called any number of times, before other threads use OpenCV.
void settle_opencv();

} // namespace troupe
