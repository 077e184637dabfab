import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/** An order of Vitest's files: those whose path ends with one of `ends` first, as they are listed, then the others as ever. */
export function inOrder(ends: string[]): TestSequencerConstructor {
  const rank = ({ moduleId }: TestSpecification) => {
    const found = ends.findIndex((end) => moduleId.endsWith(end))
    return found < 0 ? ends.length : found
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    }
  }
}
