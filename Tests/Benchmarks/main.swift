try await zipBench()
