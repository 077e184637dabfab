import { leftOutKinds, type LeftOutKind } from '#functions/shapes/parser/parser.ts'
import type { Grid, LeftOutRow, TrialResult } from './tried.ts'

/** Which rows are left out of a table: kinds of them, but not those that begin with a text of `takeIn`. */
export interface LeaveOutChoice {
  leaveOut: LeftOutKind[]
  takeIn: string[]
}

/** A row that seems to be no record, by what it is told by in the next file too. */
type RowName = Pick<LeftOutRow, 'kind' | 'label'>

/** What was chosen, as forms and addresses hold it; '' is where nobody said. Null for what is no choice. */
export function leaveOutIn(text: string): LeaveOutChoice | null {
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

/** The choice by which some of the rows that seem to be no records are left out, others taken in. */
function leaveOutText(rows: readonly RowName[], isOut: (row: RowName) => boolean): string {
  const leaveOut = leftOutKinds.filter((kind) => rows.some((row) => row.kind === kind && isOut(row)))
  const others = rows.filter((row) => leaveOut.includes(row.kind) && !isOut(row))
  return JSON.stringify({ leaveOut, takeIn: [...new Set(others.map(({ label }) => label))] })
}

/** Whether a row that was found is left out. */
export function isLeftOut(leaveOut: string, { kind, label }: RowName): boolean {
  const choice = leaveOutIn(leaveOut)
  return choice !== null && choice.leaveOut.includes(kind) && !choice.takeIn.includes(label)
}

/** The choice with a row of the grid left out or taken in, and with it those that begin as it does. */
export const choiceWith = (leaveOut: string, { leftOut }: Grid, row: RowName, isOut: boolean) =>
  leaveOutText(leftOut, (each) =>
    each.kind === row.kind && each.label === row.label ? isOut : isLeftOut(leaveOut, each),
  )

/** Leaves out all that was found where nobody said what is; else null. */
export function betterLeaveOut(leaveOut: string, { grids }: Pick<TrialResult, 'grids'>): string | null {
  const [grid] = grids
  if (leaveOut !== '' || grids.length !== 1 || !grid?.leftOut.length) return null
  return leaveOutText(grid.leftOut, () => true)
}

/** How a form without scripts names such a row. */
export const foundText = ({ kind, label }: RowName) => `${kind}:${label}`

/** What a form says: of all such rows (`foundOut`) those that stay left out (`leftOut`). An address has it in one. */
export function sentLeaveOut(texts: (name: string) => string[], isOfAnother: boolean): string {
  if (isOfAnother) return ''
  const rows = texts('foundOut').flatMap((text): RowName[] => {
    const [, kind, label = ''] = /^(notes|totals):(.*)$/s.exec(text) ?? []
    return kind ? [{ kind: kind as LeftOutKind, label }] : []
  })
  if (!rows.length) return texts('leaveOut')[0] ?? ''
  const out = new Set(texts('leftOut'))
  return leaveOutText(rows, (row) => out.has(foundText(row)))
}
