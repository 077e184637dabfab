import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/**
 * An order of Vitest's files: those that share a process before those that have one each, since a process ends where the next file
 * may not share it. Among either those whose path ends with one of `ends` first, as they are listed, then the others as ever.
 */
export function inOrder(ends: string[]): TestSequencerConstructor {
  const rank = ({ moduleId, project }: TestSpecification) => {
    const index = ends.findIndex((end) => moduleId.endsWith(end))
    return (project.config.isolate ? ends.length + 1 : 0) + (index < 0 ? ends.length : index)
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    }
  }
}
