# What `cmake --install` puts where, and the package that find_package(Troupe) finds, of the build folder as well as of an
# installed Troupe (Troupe_DIR: the build folder, or PREFIX/lib/cmake/Troupe).
#   bin/troupe  lib/libtroupe_core.so  lib/troupe/libtroupe_program.so  lib/troupe/plugins  lib/cmake/Troupe
#   include/troupe  share/troupe
include(CMakePackageConfigHelpers)

# The project's options and its static library are targets of this tree alone: a plugin elsewhere is compiled by its own
# rules, but for what changes numbers or how programs are linked.
set_target_properties(troupe_core PROPERTIES
  EXPORT_NAME core
  INTERFACE_LINK_LIBRARIES
  "$<TARGET_NAME_IF_EXISTS:troupe_options>;$<TARGET_NAME_IF_EXISTS:troupe_support>;CAF::core;opencv_core")
target_include_directories(troupe_core INTERFACE "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>"
                                                 "$<INSTALL_INTERFACE:include/troupe>")
target_compile_features(troupe_core INTERFACE cxx_std_20)
target_compile_options(troupe_core INTERFACE -ffp-contract=off)
if(TROUPE_SANITIZE)
  target_compile_options(troupe_core INTERFACE -fsanitize=address)
  target_link_options(troupe_core INTERFACE -fsanitize=address)
endif()

# Installed libraries find each other wherever the prefix is, and the others where they were when Troupe was linked.
set_target_properties(troupe_core troupe_program PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
set_target_properties(troupe_program PROPERTIES INSTALL_RPATH "$ORIGIN/..")

install(TARGETS troupe RUNTIME DESTINATION bin)
install(TARGETS troupe_program LIBRARY DESTINATION lib/troupe)
install(TARGETS troupe_core EXPORT troupe LIBRARY DESTINATION lib)
install(DIRECTORY app/examples DESTINATION share/troupe PATTERN CMakeLists.txt EXCLUDE)
install(CODE "set(troupe_source_dir \"${CMAKE_SOURCE_DIR}\")")
install(SCRIPT cmake/install_headers.cmake)

set(package lib/cmake/Troupe)
export(EXPORT troupe NAMESPACE Troupe:: FILE "${CMAKE_BINARY_DIR}/TroupeTargets.cmake")
install(EXPORT troupe NAMESPACE Troupe:: FILE TroupeTargets.cmake DESTINATION ${package})
configure_file(cmake/TroupeConfig.cmake.in TroupeConfig.cmake @ONLY)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/TroupeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
foreach(file IN ITEMS troupe_add_plugin.cmake FindCAF.cmake)
  configure_file(cmake/${file} ${file} COPYONLY)
endforeach()
# What `troupe plugins --new` writes lies beside the package, too.
file(GLOB template_files CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/app/plugins/template" app/plugins/template/*.in)
foreach(file IN LISTS template_files)
  configure_file(app/plugins/template/${file} template/${file} COPYONLY)
endforeach()
install(DIRECTORY app/plugins/template DESTINATION ${package})
install(FILES "${CMAKE_BINARY_DIR}/TroupeConfig.cmake" "${CMAKE_BINARY_DIR}/TroupeConfigVersion.cmake"
              cmake/troupe_add_plugin.cmake cmake/FindCAF.cmake DESTINATION ${package})
