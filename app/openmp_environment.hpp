/// How OpenMP's threads wait. OpenMP reads its settings when it is loaded: they have to be made before.
#pragma once

namespace troupe {

/// Makes OpenMP's threads wait briefly before they sleep, unless the user has chosen how they wait (GOMP_SPINCOUNT,
/// OMP_WAIT_POLICY). To be called before LibTorch is loaded.
///
/// By default GNU's OpenMP spins for milliseconds at the end of every parallel region. Beside busy augmenters those spins
/// take the cores that they wait for. Training a small CNN with 2 torch threads on 2 cores, samples/s (median of 3):
///                                  default   passive   GOMP_SPINCOUNT=1000
///     nothing beside it              1,760     1,446     1,809
///     2 workers at 5 % duty          1,470     1,370     1,771
///     2 workers always busy            324     1,044     1,076
/// (bench_thread_plan; the spread between runs of one setting was up to 25 %.)
void choose_brief_openmp_waits();

} // namespace troupe
