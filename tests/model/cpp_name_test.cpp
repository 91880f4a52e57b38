// What c++filt, cu++filt and the compilers' own messages print is a name; what a spreadsheet, a terminal or a
// shell would take for more is none.
#include <gtest/gtest.h>

#include "model/kernel_model.h"

namespace stridescope::model {
namespace {

TEST(CppName, NamesOfCompilersAndDemanglersAreTaken) {
  for (const char* name : {
           "a",
           "_Z6reducePfS_j",
           "$_0",
           "\xce\xa3um",
           "partials[2][33]",
           "reduce<float, 256u>(float*, float const*, unsigned int)",
           "void reduce<int, (Op)3, true>(int*)",
           "ns::Sum<T>::operator()(T, T) const",
           "Half::operator<(Half const&) const",
           "operator<=>",
           "operator<<",
           "operator->",
           "operator\"\"_km",
           "Type::operator float() const",
           "Base::~Base()",
           "~Base",
           "::global",
           "(anonymous namespace)::combine(float, float)",
           "<unnamed>::combine",
           "<lambda(int)>",
           "main::{lambda(int)#1}::operator()(int) const",
           "f()::{unnamed type#2}",
           "main::'lambda'(float)::operator()(float) const",
           "size[abi:cxx11]",
           "get[abi:v1]<int>()",
           "split<'(', ')'>",
           "split<(char)59>",
           "scale<1.5e+0f, -3>",
           "f(int (&) [3], int (*)(float))",
           "std::enable_if<(4) > (2), int>::type g<4>()",
           "f(decltype(a+b))",
           "f<int...>(int&&...)",
           "reduce.constprop.0",
           "reduce [clone .isra.0]",
           "s.data[3]",
       })
    EXPECT_EQ(faultOfName(name), std::nullopt) << name;
}

TEST(CppName, WhatIsNoNameIsRefused) {
  for (const char* text :
       {"",   "=1+1", "+a", "-a",  "@SUM(A1)", "1a",  " a",          "a;b", "`id`", "a\\b", "f(",
        "f)", "f(]",  "{a", "[0]", "a@b",      "(a)", "<b>bold</b>", "~",   "::",   "'a'"})
    EXPECT_EQ(faultOfName(text), "is no name of C++") << text;
}

TEST(CppName, ControlCharactersAreRefused) {
  for (const char* text :
       {"a\nb", "a\tb", "\x1b[31m", "a\x7f", "a\xc2\x9b", "a\xe2\x80\xae", "a\xe2\x80\xa8"})
    EXPECT_EQ(faultOfName(text), "has a control character");
  EXPECT_EQ(faultOfName("a\xff"), "is not UTF-8 text");
  EXPECT_EQ(faultOfName(std::string("a\0b", 3)), "is not UTF-8 text");
}

TEST(CppName, HasAtMost512Bytes) {
  EXPECT_EQ(faultOfName(std::string(512, 'n')), std::nullopt);
  EXPECT_EQ(faultOfName(std::string(513, 'n')), "is longer than 512 bytes");
}

}  // namespace
}  // namespace stridescope::model
