import { Unreadable } from '../row.ts'

/** The steps of a dotted path; `\.` is a dot within a name, a leading `$` is the document itself. */
export function stepsOf(selector: string): string[] {
  const steps = (selector.trim().match(/(?:\\.|[^.\\])+|(?<=^|\.)(?=\.|$)/g) ?? []).map((step) =>
    step.replace(/\\(.)/g, '$1'),
  )
  const path = steps[0] === '$' ? steps.slice(1) : steps
  if (path.some((step) => step === '')) throw new Unreadable(`The selector "${selector}" has an empty step.`)
  return path
}

/** A path as a selector writes it. */
export function selectorText(path: string[]): string {
  return path.map((step) => step.replace(/[\\.]/g, '\\$&')).join('.')
}

/** Whether a path is one that the steps of a selector mean: `*` is any step. */
export function isSelected(steps: string[], path: string[], depth: number): boolean {
  return steps.length === depth && steps.every((step, i) => step === '*' || step === path[i])
}
