# The house rules as tests, under the name cmake/RULE; see each script for what it holds. tests/cmake proves of each
# that it refuses what it should.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# troupe_add_check(RULE fast|slow [VARIANT NAME] [ARGUMENTS ...])
#   Runs cmake/check_RULE.py with the project's folder, ARGUMENTS and VARIANT. Exit code 77 means skipped.
function(troupe_add_check rule label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "VARIANT" "ARGUMENTS")
  string(JOIN "_" name ${rule} ${arg_VARIANT})
  add_test(NAME cmake/${name} COMMAND Python3::Interpreter -B "${CMAKE_SOURCE_DIR}/cmake/check_${rule}.py"
                                      "${CMAKE_SOURCE_DIR}" ${arg_ARGUMENTS} ${arg_VARIANT})
  set_tests_properties(cmake/${name} PROPERTIES LABELS ${label} TIMEOUT 300 SKIP_RETURN_CODE 77)
endfunction()

foreach(rule include_rules lock_rule type_names format file_sizes top_level text)
  troupe_add_check(${rule} fast)
endforeach()
troupe_add_check(headers fast VARIANT without-torch ARGUMENTS "${CMAKE_BINARY_DIR}" "${CMAKE_CXX_COMPILER}")
troupe_add_check(headers slow VARIANT with-torch ARGUMENTS "${CMAKE_BINARY_DIR}" "${CMAKE_CXX_COMPILER}")
set_tests_properties(cmake/headers_without-torch cmake/headers_with-torch PROPERTIES PROCESSORS 2 TIMEOUT 1800)

file(GLOB check_tests CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/cmake/*_test.py")
foreach(test IN LISTS check_tests)
  cmake_path(GET test STEM name)
  add_test(NAME cmake/${name} COMMAND Python3::Interpreter -B "${test}")
  set_tests_properties(cmake/${name} PROPERTIES LABELS fast TIMEOUT 300 SKIP_RETURN_CODE 77)
endforeach()
