"""Seeds of what is kept in trees and in the store: cut out of what the installed program leaves there."""
import hashlib, os, shutil, struct, subprocess, sys, time

seeds, program = (os.path.abspath(word) for word in sys.argv[1:3])
work = os.path.join(seeds, "work")
store = os.path.join(work, "store")
environment = dict(os.environ, NPI_PACK_STORE=store, HOME=work, XDG_STATE_HOME=os.path.join(work, "state"))
SEAL, DIGEST, MARK = 16, 32, b"NPIR"


def seed(target, data):
    folder = os.path.join(seeds, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, hashlib.sha256(data).hexdigest()[:16]), "wb") as file:
        file.write(data)


def run(*words, folder=work):
    subprocess.run([program, *words], cwd=folder, env=environment, check=False,
                   capture_output=True)


def sealed(path):
    """What follows the line that names the format."""
    with open(path, "rb") as file:
        return file.read().split(b"\n", 1)[1]


def numbers(data, at, count=1):
    return struct.unpack_from("<%dI" % count, data, at)


def records(data):
    """Each without its length and its seal."""
    while data:
        length = numbers(data, 0)[0]
        yield data[4 + SEAL:][:length]
        data = data[4 + SEAL + length:]


tree = os.path.join(work, "tree")
os.makedirs(tree)
open(os.path.join(tree, "a.txt"), "w").write("a")
open(os.path.join(tree, "npi.yml"), "w").write("""name: A
version: 1.0.0
steps:
  one: { run: [cp, a.txt, out], inputs: [a.txt], outputs: [out] }
  two: { shell: mkdir -p folder/b && cp out folder/b/c && ln -s c folder/b/d, inputs: [out], outputs: [folder] }
  three: { shell: "cp out three; echo 'three: a.txt' > three.d; echo said", outputs: [three], depfile: three.d }
""")
for _ in range(3):
    run("build", "one", "two", "three", folder=tree)
for data in records(sealed(os.path.join(tree, ".npi/log"))[SEAL:]):
    seed("log", data)
decision, files = records(sealed(os.path.join(tree, ".npi/state")))
seed("state", decision[DIGEST:])
seed("state", files)

# Libraries that share a name, in three apps, so that all that a check keeps is there.
for name in "bcde":
    source = os.path.join(work, name + ".c")
    open(source, "w").write("int shared(void) { return 1; } extern int shared2(void); int %s(void) { return shared2(); }" % name)
    subprocess.run(["clang", "-c", "-target", "arm64-apple-ios13.0", source, "-o", source[:-1] + "o"], check=True)
    subprocess.run(["llvm-ar-19", "--format=darwin", "rcsD", os.path.join(work, f"lib{name}.a"), source[:-1] + "o"], check=True)
# What is kept of a file that was just written may be of the one before.
time.sleep(3)
for names in ("bc", "bcd", "bcde", "bcde"):
    run("check", *(f"lib{name}.a" for name in names))
results = []
for folder, _, files in os.walk(store):
    for name in files:
        data = open(os.path.join(folder, name), "rb").read()
        if "/ac" in folder:
            # Names are mapped as they are, with a sum at their end: the size of what is before their tables, a flag, the number
            # of slices. What is read whole has its digest before it.
            if 16 < numbers(data, 0)[0] < 100 and data[4] < 2 and numbers(data, 5)[0] == 1:
                seed("names", data[:-8])
            else:
                results.append(data[DIGEST:])
        elif name == "small":
            while data.startswith(MARK):
                length = numbers(data, 4)[0]
                start = 8 + DIGEST + 8
                results.append(data[start:start + length])
                data = data[start + length:]
for data in results:
    if data.startswith(b"npi-pack result"):
        seed("result", data)
    elif len(data) > 60:
        # A set of plugins begins with their number; what a link came to has the digest of files before it.
        if 1 < numbers(data, 0)[0] < 16:
            seed("plugins", data)
        else:
            seed("outcome", data[DIGEST:])
shutil.rmtree(work)
for target in ("log", "state", "result", "names", "outcome", "plugins"):
    if not os.path.isdir(os.path.join(seeds, target)):
        sys.exit(f"no seed for {target}: what is kept has another shape now")
