import type { GenericSchema, InferOutput } from 'valibot'
import * as v from 'valibot'
import { endpoint, type ReturnValueFor, type Input } from '#functions/api/endpoint.ts'
import type { ReadOnly } from '#functions/api/read-only.ts'
import { parseShape } from '#functions/api/shape.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { Context } from '#functions/context.ts'
import { OneOptions } from '#functions/shapes/options.ts'
import { Deleted, buildListShape, Valid } from '#functions/shapes/returns.ts'

type ListSchema<Row extends GenericSchema> = ReturnType<typeof buildListShape<Row>>
type Run<Options, Data, Result> = (ctx: Context, request: Input<Options, Data>) => Promise<Result | undefined>

interface ReadHandlers<ListShape extends GenericSchema, List, One> {
  find: Run<InferOutput<ListShape>, undefined, List>
  findById: Run<InferOutput<typeof OneOptions>, undefined, One>
}
interface WriteHandlers<New extends GenericSchema, Changes extends GenericSchema, Created, Updated, Gone> {
  create: Run<Record<string, never>, InferOutput<New>, Created>
  updateById: Run<Record<string, never>, InferOutput<Changes>, Updated>
  deleteById: Run<Record<string, never>, undefined, Gone>
}
interface RestoreHandler<Row> {
  restore: Run<Record<string, never>, undefined, Row>
}

// Each takes a domain with two type parameters: what it returns, which the endpoints keep, and what `row` requires it to return.

/** The read endpoints of a noun. `row`: the schema of one row in responses. */
export function reads<ListShape extends GenericSchema, List, One, Row extends GenericSchema>(
  operation: OperationName,
  list: ListShape,
  domain: ReadHandlers<ListShape, List, One> &
    ReadHandlers<ListShape, ReturnValueFor<ListSchema<Row>>, ReturnValueFor<Row>>,
  row: Row,
) {
  const { find, findById }: ReadHandlers<ListShape, List, One> = domain
  const [returns, many]: [GenericSchema, GenericSchema] = [row, buildListShape(row)]
  return {
    find: endpoint({ allow: operation, options: list, returns: many, run: find }),
    findById: endpoint({ allow: operation, options: OneOptions, returns, run: findById }),
  }
}

/** The read-only members of a row: an update may contain them unchanged, so that a row can be sent back with some changes. */
export function getReadOnlyMembers(
  row: GenericSchema,
  changes: GenericSchema,
  read: Run<Record<string, never>, undefined, object>,
): ReadOnly {
  const members = Object.keys((row as Partial<WithEntries>).entries ?? {})
  const changeEntries = (changes as Partial<WithEntries>).entries ?? {}
  return { members: members.filter((member) => !Object.hasOwn(changeEntries, member)), read }
}

/** Reads a row by the list of its noun, for rows that no endpoint returns alone. `idParam`: the parameter of the path that has its id. */
export const createRowReader =
  <ListShape extends GenericSchema>(
    options: ListShape,
    find: Run<InferOutput<ListShape>, undefined, { results: readonly object[] }>,
    idParam: string,
  ): Run<Record<string, never>, undefined, object> =>
  async (ctx, request) => {
    const one = { filters: [{ id: request.params[idParam] }], limit: 1 }
    const page = await find(ctx, { ...request, options: parseShape(options, one) as InferOutput<ListShape> })
    return page?.results[0]
  }

interface WithEntries {
  entries: Record<string, GenericSchema>
}

/**
 * The write endpoints of a noun, and `validate`, which checks a body against `create` (with `?partial=true` against `update`) and
 * stores nothing. `row`: the schema of one row in responses. `stepUpToDelete`: deleting requires re-authentication.
 */
export function writes<
  New extends GenericSchema,
  Changes extends GenericSchema,
  Created,
  Updated,
  Gone,
  Row extends GenericSchema,
>(
  operations: { create: OperationName; update: OperationName; delete: OperationName },
  shapes: { create: New; update: Changes },
  domain: WriteHandlers<New, Changes, Created, Updated, Gone> &
    WriteHandlers<New, Changes, ReturnValueFor<Row>, ReturnValueFor<Row>, ReturnValueFor<typeof Deleted>> & {
      check?: (ctx: Context, request: Input<unknown, Partial<InferOutput<New>>>) => Promise<void> | void
      findById: Run<Record<string, never>, undefined, object>
    },
  row: Row,
  { stepUpToDelete = false }: { stepUpToDelete?: boolean } = {},
) {
  const { create, updateById, deleteById }: WriteHandlers<New, Changes, Created, Updated, Gone> = domain
  const [returns, deletedShape]: [GenericSchema, GenericSchema] = [row, Deleted]
  return {
    validate: validate(operations.create, shapes, domain.check),
    create: endpoint({ allow: operations.create, data: shapes.create, returns, run: create }),
    updateById: endpoint({
      allow: operations.update,
      data: shapes.update,
      readOnly: getReadOnlyMembers(row, shapes.update, domain.findById),
      returns,
      run: updateById,
    }),
    deleteById: endpoint({
      allow: operations.delete,
      returns: deletedShape,
      versioned: true,
      ...(stepUpToDelete && { stepUp: true as const }),
      run: deleteById,
    }),
  }
}

/** The endpoint that restores a deleted row, for those who may delete. `row`: the schema of its response. */
export function restores<Given, Row extends GenericSchema>(
  operation: OperationName,
  domain: RestoreHandler<Given> & RestoreHandler<ReturnValueFor<Row>>,
  row: Row,
) {
  const { restore }: RestoreHandler<Given> = domain
  const returns: GenericSchema = row
  return {
    restore: endpoint({
      allow: operation,
      http: { method: 'post', one: true },
      returns,
      summary: 'Bring back what was deleted up to 30 days ago',
      run: restore,
    }),
  }
}

/** The endpoint that validates a body and stores nothing. */
export function validate<New extends GenericSchema, Changes extends GenericSchema>(
  allow: OperationName,
  shapes: { create: New; update: Changes },
  check:
    | ((ctx: Context, request: Input<unknown, Partial<InferOutput<New>>>) => Promise<void> | void)
    | undefined,
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
