// The transform of the README, word for word.
// clang-format off
#include "actors/plugin.hpp"

class noise final : public troupe::sample_transform {
public:
  noise(const troupe::parameters& p, const troupe::image_shape& in) : shape_(in), reach_(p.number("reach")) {}
  troupe::image_shape output_shape() const override { return shape_; }
  void apply(cv::Mat& image, troupe::transform_context& context) const override {
    image += cv::Scalar::all(context.rng.uniform(-reach_, reach_));      // drawn from (seed, epoch, sample)
  }
private:
  troupe::image_shape shape_;
  double reach_;
};

TROUPE_PLUGIN(my_noise, "1.0") {
  plugin.transform("noise", "Brighter or darker by chance.", {troupe::param::number("reach", 20, 0, 255, "How much.")},
                   [](const auto& p, const auto& in) { return std::make_unique<noise>(p, in); });
}
