import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Download } from '#functions/shapes/download.ts'
import { Time } from '#functions/shapes/returns.ts'

// The compiler is the test here: an expected error that does not come is one itself.

const Row = v.strictObject({
  id: v.string(),
  at: Time,
  note: v.optional(v.string()),
  parts: v.array(v.strictObject({ kind: v.picklist(['text', 'map']) })),
})
const row = { id: 'a', at: new Date(0), note: undefined, parts: [{ kind: 'map' as const }] }
const slots = { allow: 'api.read', returns: Row } as const

// A Date is text in JSON, what is undefined is left out, and no row is a 404.
endpoint({ ...slots, run: async () => row })
endpoint({ ...slots, run: async (ctx) => (ctx.placeId === null ? undefined : row) })

const { at: _at, ...lacking } = row
// @ts-expect-error A declared field is missing.
endpoint({ ...slots, run: async () => lacking })
// @ts-expect-error It may be missing.
endpoint({ ...slots, run: async () => ({ ...row, id: undefined as string | undefined }) })
// @ts-expect-error One of a list is of a kind that is not declared.
endpoint({ ...slots, run: async () => ({ ...row, parts: [{ kind: 'film' as const }] }) })
// @ts-expect-error JSON has no such number.
endpoint({ ...slots, run: async () => ({ ...row, id: 1n }) })
const slotsWithTime = { allow: 'api.read', returns: v.strictObject({ at: v.number() }) } as const
// @ts-expect-error A date is no number in JSON.
endpoint({ ...slotsWithTime, run: async () => ({ at: row.at }) })

const file = new Download('text/csv', '')
endpoint({ ...slots, media: ['text/csv'], run: async () => file })
// @ts-expect-error Nothing is said of a file.
endpoint({ ...slots, run: async () => file })
