import type { GenericSchema, InferOutput } from 'valibot'
import * as v from 'valibot'
import { endpoint, type GivenFor, type Input } from '#functions/api/endpoint.ts'
import { parseShape } from '#functions/api/shape.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { Context } from '#functions/context.ts'
import { OneOptions } from '#functions/shapes/options.ts'
import { Deleted, listOf, Valid } from '#functions/shapes/returns.ts'

type ListOf<Row extends GenericSchema> = ReturnType<typeof listOf<Row>>
type Run<Options, Data, Result> = (ctx: Context, asked: Input<Options, Data>) => Promise<Result | undefined>

/** The reading verbs of a noun. `row` is what one of it looks like on the wire. */
export function reads<
  ListShape extends GenericSchema,
  List extends GivenFor<ListOf<Row>>,
  One extends GivenFor<Row>,
  Row extends GenericSchema,
>(
  operation: OperationName,
  list: ListShape,
  domain: {
    find: Run<InferOutput<ListShape>, undefined, List>
    findById: Run<InferOutput<typeof OneOptions>, undefined, One>
  },
  row: Row,
) {
  // That they fit is checked above, where the types are known.
  const [returns, many]: GenericSchema[] = [row, listOf(row)]
  return {
    find: endpoint({ allow: operation, options: list, returns: many, run: domain.find }),
    findById: endpoint({ allow: operation, options: OneOptions, returns, run: domain.findById }),
  }
}

/**
 * The writing verbs of a noun, and `validate`: the shape of `create` (of an update with `?partial=true`), and nothing
 * stored. `row` is what one of it looks like on the wire. `stepUpToDelete`: deleting takes a proof that it is them.
 */
export function writes<
  New extends GenericSchema,
  Changes extends GenericSchema,
  Created extends GivenFor<Row>,
  Updated extends GivenFor<Row>,
  Gone extends GivenFor<typeof Deleted>,
  Row extends GenericSchema,
>(
  operations: { create: OperationName; update: OperationName; delete: OperationName },
  shapes: { create: New; update: Changes },
  domain: {
    create: Run<Record<string, never>, InferOutput<New>, Created>
    updateById: Run<Record<string, never>, InferOutput<Changes>, Updated>
    deleteById: Run<Record<string, never>, undefined, Gone>
    check?: (ctx: Context, asked: Input<unknown, Partial<InferOutput<New>>>) => Promise<void> | void
  },
  row: Row,
  { stepUpToDelete = false }: { stepUpToDelete?: boolean } = {},
) {
  // That they fit is checked above, where the types are known.
  const returns: GenericSchema = row
  return {
    validate: validate(operations.create, shapes, domain.check),
    create: endpoint({ allow: operations.create, data: shapes.create, returns, run: domain.create }),
    updateById: endpoint({
      allow: operations.update,
      data: shapes.update,
      returns,
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
export function restores<Given extends GivenFor<Row>, Row extends GenericSchema>(
  operation: OperationName,
  domain: { restore: Run<Record<string, never>, undefined, Given> },
  row: Row,
) {
  const returns: GenericSchema = row
  return {
    restore: endpoint({
      allow: operation,
      http: { method: 'post', one: true },
      returns,
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
    ((ctx: Context, request: Input<unknown, Partial<InferOutput<New>>>) => Promise<void> | void) | undefined,
) {
  return endpoint({
    allow,
    options: v.strictObject({ partial: v.optional(v.picklist(['true', 'false'])) }),
    data: v.unknown(),
    like: shapes.create,
    returns: Valid,
    summary: 'Check what would be created, and store nothing',
    async run(ctx, request) {
      const shape = request.options.partial === 'true' ? shapes.update : shapes.create
      const data = parseShape(shape, request.data) as Partial<InferOutput<New>>
      await check?.(ctx, { ...request, data })
      return { valid: true as const }
    },
  })
}
