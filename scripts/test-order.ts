import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/**
 * Orders Vitest's files by their project, in the order of `projects`: a process, which has loaded the product, ends when
 * the next file is of another one. Within a project files whose path ends with one of `ends` come first, in that order,
 * then the others in Vitest's order.
 */
export function createOrderedSequencer(projects: string[], ends: string[]): TestSequencerConstructor {
  const rank = ({ moduleId, project }: TestSpecification) => {
    const index = ends.findIndex((end) => moduleId.endsWith(end))
    return projects.indexOf(project.name) * (ends.length + 1) + (index < 0 ? ends.length : index)
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    }
  }
}
