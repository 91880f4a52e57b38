// The same for all tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common_headers.h"
