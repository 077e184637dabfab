import type { GenericSchema, InferOutput } from 'valibot'
import * as v from 'valibot'
import { endpoint, type Input } from '#functions/api/endpoint.ts'
import { parseShape } from '#functions/api/shape.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { Context } from '#functions/context.ts'
import { OneOptions } from '#functions/shapes/options.ts'
import { Deleted, listOf, Valid } from '#functions/shapes/returns.ts'

type Run<Options, Data, Result> = (ctx: Context, asked: Input<Options, Data>) => Promise<Result | undefined>

/** The reading verbs of a noun. `row` is what one of it looks like on the wire. */
export function reads<ListShape extends GenericSchema, List, One>(
  operation: OperationName,
  list: ListShape,
  domain: {
    find: Run<InferOutput<ListShape>, undefined, List>
    findById: Run<InferOutput<typeof OneOptions>, undefined, One>
  },
  row?: GenericSchema,
) {
  return {
    find: endpoint({ allow: operation, options: list, returns: row && listOf(row), run: domain.find }),
    findById: endpoint({ allow: operation, options: OneOptions, returns: row, run: domain.findById }),
  }
}

/**
 * The writing verbs of a noun, and `validate`: the shape of `create` (of an update with `?partial=true`), and nothing
 * stored. `row` is what one of it looks like on the wire. `stepUpToDelete`: deleting takes a proof that it is them.
 */
export function writes<New extends GenericSchema, Changes extends GenericSchema, Created, Updated, Deleted>(
  operations: { create: OperationName; update: OperationName; delete: OperationName },
  shapes: { create: New; update: Changes },
  domain: {
    create: Run<Record<string, never>, InferOutput<New>, Created>
    updateById: Run<Record<string, never>, InferOutput<Changes>, Updated>
    deleteById: Run<Record<string, never>, undefined, Deleted>
    check?: (ctx: Context, asked: Input<unknown, Partial<InferOutput<New>>>) => Promise<void> | void
  },
  row?: GenericSchema,
  { stepUpToDelete = false }: { stepUpToDelete?: boolean } = {},
) {
  return {
    validate: validate(operations.create, shapes, domain.check),
    create: endpoint({ allow: operations.create, data: shapes.create, returns: row, run: domain.create }),
    updateById: endpoint({
      allow: operations.update,
      data: shapes.update,
      returns: row,
      run: domain.updateById,
    }),
    deleteById: endpoint({
      allow: operations.delete,
      returns: Deleted,
      ...(stepUpToDelete && { stepUp: true as const }),
      run: domain.deleteById,
    }),
  }
}

/** The endpoint that brings back what was deleted, for those who may delete. `row` is what it answers. */
export function restores<Row>(
  operation: OperationName,
  domain: { restore: Run<Record<string, never>, undefined, Row> },
  row: GenericSchema,
) {
  return {
    restore: endpoint({
      allow: operation,
      http: { method: 'post', one: true },
      returns: row,
      summary: 'Bring back what was deleted up to 30 days ago',
      run: domain.restore,
    }),
  }
}

/** The endpoint that checks what would be created and stores nothing. */
export function validate<New extends GenericSchema, Changes extends GenericSchema>(
  allow: OperationName,
  shapes: { create: New; update: Changes },
  check:
    ((ctx: Context, asked: Input<unknown, Partial<InferOutput<New>>>) => Promise<void> | void) | undefined,
) {
  return endpoint({
    allow,
    options: v.strictObject({ partial: v.optional(v.picklist(['true', 'false'])) }),
    data: v.unknown(),
    like: shapes.create,
    returns: Valid,
    summary: 'Check what would be created, and store nothing',
    async run(ctx, asked) {
      const shape = asked.options.partial === 'true' ? shapes.update : shapes.create
      const data = parseShape(shape, asked.data) as Partial<InferOutput<New>>
      await check?.(ctx, { ...asked, data })
      return { valid: true as const }
    },
  })
}
