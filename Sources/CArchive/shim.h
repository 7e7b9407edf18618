#pragma once
#include <archive.h>
#include <archive_entry.h>
// Swift's Glibc module leaves it out.
#include <sys/xattr.h>
