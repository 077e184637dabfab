import { Unreadable } from '../row.ts'

/** What JSONPath puts in brackets: every member, one by its number, or one by its name in quotes. */
const bracketed =
  /\[\s*(?:(?<all>\*?)|(?<index>\d+)|'(?<single>(?:\\.|[^'\\])*)'|"(?<double>(?:\\.|[^"\\])*)")\s*\]/y

/**
 * Parses a dotted path; `\.` is a literal dot, a leading `$` (or a leading dot) is the document itself. Accepts JSONPath
 * for the same path: `$.a.b[*]`, `a.b[]`, `$['a']["b"][0]`. Other brackets are literal. Unreadable for an empty step,
 * and for filters by value.
 */
export function stepsOf(selector: string): string[] {
  const text = selector.trim().replace(/^\$?\.(?=[^.])|^\$(?=\[|$)/, '')
  if (/\[\s*\?/.test(text))
    throw new Unreadable(
      `The selector "${selector}" chooses by values, which selectors do not: choose the whole list, as in "data.*".`,
    )
  if (text === '' && selector.trim() !== '') return []
  const steps: string[] = []
  let name = ''
  /** Behind a bracket a step is complete, and only a dot or another bracket may come. */
  let isComplete = false
  const end = () => {
    if (!isComplete && name === '') throw new Unreadable(emptyStep(selector))
    if (!isComplete) steps.push(name)
    name = ''
    isComplete = false
  }
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    bracketed.lastIndex = i
    const groups = character === '[' ? bracketed.exec(text)?.groups : undefined
    if (groups) {
      if (name !== '') steps.push(name)
      steps.push(bracketStep(groups))
      name = ''
      isComplete = true
      i = bracketed.lastIndex - 1
    } else if (character === '.') {
      end()
      // In `a.['b']` the dot is redundant.
      bracketed.lastIndex = i + 1
      isComplete = bracketed.test(text)
    } else {
      name += character === '\\' && i + 1 < text.length ? text.charAt((i += 1)) : character
      isComplete = false
    }
  }
  end()
  return steps
}

const emptyStep = (selector: string) =>
  `The selector "${selector}" has an empty step.${selector.includes('..') ? ' Name each step: one that looks in every depth (..) is not understood.' : ''}`

function bracketStep({ all, index, single, double }: Record<string, string | undefined>): string {
  if (all !== undefined) return '*'
  return index ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')
}

/** A path as a selector writes it. */
export function selectorText(path: string[]): string {
  return path.map((step) => step.replace(/[\\.[]/g, '\\$&')).join('.')
}

/** Whether a path is one that the steps of a selector mean: `*` is any step. */
export function isSelected(steps: string[], path: string[], depth: number): boolean {
  return steps.length === depth && steps.every((step, i) => step === '*' || step === path[i])
}
