import { leftOutKinds, type LeftOutKind } from '#functions/shapes/parser/parser.ts'
import type { Grid, LeftOutRow, TrialResult } from './trial.ts'

/** Which rows of a table are left out: by kind, except those that start with a text of `takeIn`. */
interface LeaveOutChoice {
  leaveOut: LeftOutKind[]
  takeIn: string[]
}

/** A row that seems not to be a record, identified in a way that also works for the next file. */
type RowName = Pick<LeftOutRow, 'kind' | 'label'>

/** Parses a choice from a form or URL; null for '' (no choice) and invalid ones. */
export function parseLeaveOut(text: string): LeaveOutChoice | null {
  try {
    const { leaveOut, takeIn } = JSON.parse(text) as Partial<Record<keyof LeaveOutChoice, unknown>>
    if (!Array.isArray(leaveOut) || !Array.isArray(takeIn)) return null
    return {
      leaveOut: leftOutKinds.filter((kind) => leaveOut.includes(kind)),
      takeIn: takeIn.filter((each): each is string => typeof each === 'string'),
    }
  } catch {
    return null
  }
}

/** Serializes the choice that leaves out some of the detected rows. */
function serializeLeaveOut(rows: readonly RowName[], isOut: (row: RowName) => boolean): string {
  const leaveOut = leftOutKinds.filter((kind) => rows.some((row) => row.kind === kind && isOut(row)))
  const others = rows.filter((row) => leaveOut.includes(row.kind) && !isOut(row))
  return JSON.stringify({ leaveOut, takeIn: [...new Set(others.map(({ label }) => label))] })
}

/** Whether a detected row is left out. */
export function isLeftOut(leaveOut: string, { kind, label }: RowName): boolean {
  const choice = parseLeaveOut(leaveOut)
  return choice !== null && choice.leaveOut.includes(kind) && !choice.takeIn.includes(label)
}

/** The choice with a row of the grid, and others with the same label, left out or taken in. */
export const choiceWith = (leaveOut: string, { leftOut }: Grid, row: RowName, isOut: boolean) =>
  serializeLeaveOut(leftOut, (each) =>
    each.kind === row.kind && each.label === row.label ? isOut : isLeftOut(leaveOut, each),
  )

/** Leaves out all detected rows if there is no choice yet; else null. */
export function betterLeaveOut(leaveOut: string, { grids }: Pick<TrialResult, 'grids'>): string | null {
  const [grid] = grids
  if (leaveOut !== '' || grids.length !== 1 || !grid?.leftOut.length) return null
  return serializeLeaveOut(grid.leftOut, () => true)
}

/** The identifier of such a row in a form without scripts. */
export const toRowKey = ({ kind, label }: RowName) => `${kind}:${label}`

/** The choice in a form: of the offered rows (`foundOut`) those that stay left out (`leftOut`). A URL has it in one value. */
export function parseSubmittedLeaveOut(texts: (name: string) => string[], isOfAnother: boolean): string {
  if (isOfAnother) return ''
  const rows = texts('foundOut').flatMap((text): RowName[] => {
    const [, kind, label = ''] = /^(notes|totals):(.*)$/s.exec(text) ?? []
    return kind ? [{ kind: kind as LeftOutKind, label }] : []
  })
  if (!rows.length) return texts('leaveOut')[0] ?? ''
  const out = new Set(texts('leftOut'))
  return serializeLeaveOut(rows, (row) => out.has(toRowKey(row)))
}
