import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/**
 * Orders Vitest's files: first those that share a process, then those that have one each, because a process
 * ends when the next file may not share it. Within both groups files whose path ends with one of `ends` come
 * first, in that order, then the others in Vitest's order.
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
