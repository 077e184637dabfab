import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parseShape } from '#functions/api/shape.ts'
import { asFailure } from '#functions/errors.ts'

const Shape = v.strictObject({
  name: v.pipe(v.string(), v.minLength(2), v.maxLength(4)),
  tags: v.optional(v.pipe(v.array(v.string()), v.maxLength(1))),
  size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  kind: v.optional(v.picklist(['a', 'b'])),
  code: v.optional(v.pipe(v.string(), v.regex(/^x/))),
  mail: v.optional(v.pipe(v.string(), v.email())),
  part: v.optional(v.strictObject({})),
})

test.each<[object, string]>([
  [{}, 'required'],
  [{ name: 1 }, 'type'],
  [{ name: 'a' }, 'minLength'],
  [{ name: 'abcde' }, 'maxLength'],
  [{ name: 'ab', tags: ['a', 'b'] }, 'maxItems'],
  [{ name: 'ab', size: 0 }, 'min'],
  [{ name: 'ab', size: 1.5 }, 'integer'],
  [{ name: 'ab', kind: 'c' }, 'enum'],
  [{ name: 'ab', code: 'y' }, 'regex'],
  [{ name: 'ab', mail: 'y' }, 'email'],
  [{ name: 'ab', part: [] }, 'type'],
  [{ name: 'ab', other: 1 }, 'unknown'],
])('%j fails with the rule %s', (value, validator) => {
  let caughtError: unknown
  try {
    parseShape(Shape, value)
  } catch (error) {
    caughtError = error
  }
  const { issues } = asFailure(caughtError)
  expect(issues.map((issue) => issue.validator)).toEqual([validator])
})
