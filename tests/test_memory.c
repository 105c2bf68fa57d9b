// What a container may have of memory, read from copies of the kernel's files as they are in several kinds of them.
#include "base/memory_room.h"
#include "suites.h"
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

// Writes the file below the folder, with the folders above it.
static void put(const char *path, const char *text)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    for (char *slash = whole + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void expect(uint64_t limit, uint64_t left, uint64_t kills)
{
    struct memory_room room = memory_room(folder);
    ck_assert_uint_eq(room.limit, limit);
    ck_assert_uint_eq(room.left, left);
    ck_assert_uint_eq(room.kills, kills);
}

static const char version_2[] =
    "22 1 0:20 / / rw - ext4 /dev/vda rw\n"
    "31 22 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
static const char version_1[] =
    "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

SUITE(memory)
CASE(memory, .set_up = make_folder, .tear_down = remove_folder)

TEST(no_files_are_no_limit)
{
    expect(UINT64_MAX, UINT64_MAX, 0);
    put("proc/vmstat", "nr_free_pages 7\noom_kill 3\n");
    expect(UINT64_MAX, UINT64_MAX, 3);
}

// Files that are only cached are no hindrance.
TEST(version_2_has_a_limit)
{
    put("proc/vmstat", "oom_kill 30\n");
    put("proc/self/mountinfo", version_2);
    put("proc/self/cgroup", "0::/user.slice/box\n");
    put("sys/fs/cgroup/user.slice/box/memory.max", "1000000\n");
    put("sys/fs/cgroup/user.slice/box/memory.current", "600000\n");
    put("sys/fs/cgroup/user.slice/box/memory.stat",
        "anon 100000\nfile 500000\ninactive_file 300000\nactive_file 200000\n");
    put("sys/fs/cgroup/user.slice/box/memory.events", "low 0\nhigh 0\nmax 9\noom 2\noom_kill 1\n");
    expect(1000000, 900000, 1);
}

// The least that is left counts, in whichever parent.
TEST(version_2_has_limits_above)
{
    put("proc/self/mountinfo", version_2);
    put("proc/self/cgroup", "0::/a/b/c\n");
    put("sys/fs/cgroup/a/b/c/memory.max", "max\n");
    put("sys/fs/cgroup/a/b/c/memory.current", "50\n");
    expect(UINT64_MAX, UINT64_MAX, 0);
    put("sys/fs/cgroup/a/b/memory.max", "5000\n");
    put("sys/fs/cgroup/a/b/memory.current", "1000\n");
    put("sys/fs/cgroup/a/memory.max", "9000\n");
    put("sys/fs/cgroup/a/memory.current", "8500\n");
    expect(9000, 500, 0);
    put("sys/fs/cgroup/a/b/c/memory.max", "100\n");
    expect(100, 50, 0);
    put("sys/fs/cgroup/a/b/c/memory.current", "101\n");
    expect(100, 0, 0);
}

// A container has its own group for the mount's folder, and may be told of paths that it does not see.
TEST(a_container_sees_its_own)
{
    put("proc/self/mountinfo",
        "31 22 0:28 /docker/1f /sys/fs/cgroup ro - cgroup2 cgroup rw,nsdelegate\n");
    put("sys/fs/cgroup/memory.max", "2000\n");
    put("sys/fs/cgroup/memory.current", "500\n");
    static const char *const groups[] = {"0::/\n", "0::/docker/1f\n", "0::/docker/1f/not/here\n",
                                         "0::/elsewhere\n"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        put("proc/self/cgroup", groups[i]);
        expect(2000, 1500, 0);
    }
}

// Its number for no limit is a large one, and its folder has one too.
TEST(version_1_has_a_limit)
{
    put("proc/self/mountinfo", version_1);
    put("proc/self/cgroup", "9:name=systemd:/\n5:cpu,cpuacct:/x\n4:memory:/jobs/7\n0::/\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "123456789\n");
    put("sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/jobs/7/memory.usage_in_bytes", "700\n");
    put("sys/fs/cgroup/memory/jobs/7/memory.oom_control",
        "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
    expect(UINT64_MAX, UINT64_MAX, 4);
    put("sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes", "1000\n");
    put("sys/fs/cgroup/memory/jobs/7/memory.stat",
        "total_inactive_file 100\ntotal_active_file 1\n");
    expect(1000, 401, 4);
}

TEST(damaged_files_are_no_limit)
{
    put("proc/self/mountinfo", "31\n31 22 0:28 / - cgroup2\n - \n");
    put("proc/self/cgroup", "0\n:\n0:\n");
    expect(UINT64_MAX, UINT64_MAX, 0);
    put("proc/self/mountinfo", version_2);
    expect(UINT64_MAX, UINT64_MAX, 0);
    put("proc/self/cgroup", "0::/a\n");
    put("sys/fs/cgroup/a/memory.max", "\n");
    put("sys/fs/cgroup/a/memory.events", "oom_kill\n");
    expect(UINT64_MAX, UINT64_MAX, 0);
}

// ---- In a real group -------------------------------------------------------------------------------

static const char *without_groups(void)
{
    static char why[200];
    static bool known;
    if (known)
        return *why ? why : NULL;
    known = true;
    FILE *refused = popen("tests/hostile/in_group.sh 100 true", "r");
    if (!refused || !fgets(why, sizeof why, refused))
        *why = '\0';
    why[strcspn(why, "\n")] = '\0';
    if (refused)
        pclose(refused);
    return *why ? why : NULL;
}

// 160 MiB hold a small run, and neither four matrices of 64 MiB nor a step that wants a gibibyte.
enum { MIB = 160 };

TEST(what_a_group_cannot_have_is_told_before, .skipped = without_groups())
{
    struct printed printed =
        type_to(1, "tests/hostile/in_group.sh %d build/sim/run 3 -n 4096 --summary", MIB);
    assert_contains(printed.err, "may have 160 MiB of memory and has ",
                    "but the matrices need 448 MiB. Try a smaller n (-n)");
}

TEST(what_a_group_could_not_have_is_told_after, .skipped = without_groups())
{
    struct printed printed =
        type_to(1, "tests/hostile/in_group.sh %d build/sim/hostile 19 21 -n 100 --summary", MIB);
    assert_contains(printed.err, "step 21 failed: the kernel killed its process for want of memory "
                                 "(its control group may have 160 MiB). Try a smaller n");
    assert_contains(printed.out, "1 of 2 steps verified");
}

// ---- A limit on addresses --------------------------------------------------------------------------

TEST(a_limit_on_addresses_is_named, .times = 2)
{
    static const struct {
        int kib;
        const char *what, *limit;
    } cases[] = {
        {1000000, "Out of addresses: the system gives no ", "may have 976 MiB of addresses in all"},
        {5000000, "cudaMalloc of the input ", "may have 4882 MiB of addresses in all"}};
    struct printed printed = type("ulimit -v %d; build/sim/run 3 -n 4096 --summary", cases[_i].kib);
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, cases[_i].what, cases[_i].limit, "`ulimit -v unlimited`");
}
