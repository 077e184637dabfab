import { expect, test } from 'vitest'
import { answerCsv } from './answerCsv.ts'
import type { AnswerRow, Output } from '../shapes/analytics.ts'

test('a text or a head that a spreadsheet would run gets an apostrophe, a number does not', () => {
  const schema = { '=kind': { name: 'Kind', type: 'text' }, total: { name: 'Total', type: 'number' } }
  const answer = {
    output: { schema } as unknown as Output,
    rows: [
      { '=kind': ' =1+1', total: -5 },
      { '=kind': 'Oak', total: 2 },
    ] as unknown as AnswerRow[],
  }
  expect(answerCsv(answer)).toBe("'=kind,total\r\n' =1+1,-5\r\nOak,2\r\n")
})
