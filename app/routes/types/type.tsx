import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { UsedBy } from './used-by.tsx'
import { getFieldUnit } from '#functions/engine/chart/format.ts'
import { DataTable } from '#app/components/hub/data-table.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { recordTable } from '#functions/engine/table/record-table.ts'
import { Count, Day } from '#app/components/list/time.tsx'
import { FieldFactsList } from '#app/components/records/field-facts.tsx'
import { PendingNote } from './pending-note.tsx'
import { TypeTabs } from '#app/components/schema/type-tabs.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { typeFields } from '#app/server/field-facts.server.ts'
import { callEndpoint, orNull } from '#app/server/load.server.ts'
import { recordOpened } from '#app/server/recent.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { hasPermission } from '#app/server/session.server.ts'
import { loadSetNames, typeRights, typeUses, typeWithSources } from '#app/server/type-screen.server.ts'
import { fieldTypes, type Field } from '#functions/shapes/field.ts'
import { nameOfSet } from '#functions/shapes/region-sets.ts'
import { findValidator } from '#functions/shapes/fields/validators.ts'
import { v1 } from '#functions/v1/index.ts'

const sampleSize = 5

/** Loads a data type: its fields, sources, uses, and newest records. */
export async function loader(args: LoaderFunctionArgs) {
  const typePromise = typeWithSources(args)
  // Null for a data type of another organization without accessible records; it is shown without them.
  const newest = orNull(
    args,
    callEndpoint(args, v1.place.dataType.datum.find, { options: { limit: sampleSize } }),
  )
  const [{ dataType, schema, sources }, values, reading, sample, uses] = await Promise.all([
    typePromise,
    newest.then(async (rows) => rows && typeFields(args, (await typePromise).schema)),
    loadReaderSettings(args),
    newest,
    typeUses(args, args.params.dataTypeId ?? ''),
  ])
  recordOpened(args, 'dataType', dataType.id)
  const setNames = await loadSetNames(args, schema)
  return {
    rights: typeRights(args, dataType),
    mayCopy: hasPermission(args.context.ctx, 'dataType.create'),
    // Without access to records there can be no sources here either.
    isAskable: sample !== null,
    maySource: sample !== null && hasPermission(args.context.ctx, 'source.create'),
    uses,
    dataType: {
      id: dataType.id,
      name: dataType.name,
      category: dataType.category,
      notes: dataType.notes,
      isOfficial: dataType.ownerPlaceId === null,
      updatedAt: dataType.updatedAt,
    },
    pending: dataType.pendingChange ?? null,
    mainDate: dataType.temporal ? (schema[dataType.temporal.primary]?.name ?? null) : null,
    fields: Object.entries(schema).map(([key, field]) => fieldRow(key, field, setNames)),
    values,
    sources,
    sample: recordTable(schema, sample?.results ?? [], reading),
    total: sample?.meta.total ?? 0,
  }
}

/** `setNames`: the names of organizations' boundary sets, by id. */
function fieldRow(key: string, field: Field, setNames: Record<string, string>): string[] {
  const rules = Object.entries(field.validation ?? {}).map(([key, value]) => {
    const rule = findValidator(field, key)?.label ?? key
    return value === true ? rule : `${rule}: ${formatRuleValue(value)}`
  })
  return [
    field.name,
    key,
    fieldTypes[field.type],
    getFieldUnit(field),
    describeFieldValues(field, setNames),
    rules.join('; '),
    field.notes ?? '',
  ]
}

/** Maximum number of listed codes; the editor shows all. */
const maxCodes = 12

/** Describes the metadata of a field's values, except the unit. */
function describeFieldValues(
  { values = [], identifier, additive, region }: Field,
  setNames: Record<string, string>,
): string {
  const codes = values
    .slice(0, maxCodes)
    .map(
      ({ value, name, missing }) =>
        `${String(value)} = ${[name, missing && 'no value'].filter(Boolean).join(', ')}`,
    )
  if (values.length > maxCodes) codes.push(`and ${values.length - maxCodes} more`)
  return [
    identifier && 'They name things',
    additive && 'They may be added up',
    region && (setNames[region] ?? nameOfSet(region)),
    codes.join(', '),
  ]
    .filter(Boolean)
    .join('; ')
}

const formatRuleValue = (value: unknown) =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)

const fieldColumns = ['Name', 'Key', 'Type', 'Unit', 'Values', 'Rules', 'Notes'].map((label) => ({
  label,
  isLong: label === 'Values' || label === 'Notes',
}))

export const meta = placeTitle<{ dataType: { name: string } }>(({ dataType }) => dataType.name)

export default function DataType() {
  const { dataType, rights, isAskable, pending, mainDate, fields, values, sample, total, uses, mayCopy } =
    useLoaderData<typeof loader>()
  return (
    <Screen
      title={dataType.name}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: 'Data types', to: '/types/catalog' },
      ]}
      badges={dataType.isOfficial ? <span className="badge">Official</span> : null}
      sub={dataType.notes}
      actions={
        mayCopy ? (
          <Link className="button" to={`/types/create?from=${dataType.id}`}>
            Copy
          </Link>
        ) : null
      }
    >
      <TypeTabs id={dataType.id} {...rights} isAskable={isAskable} />
      <PendingNote change={pending} />
      <Facts
        facts={[
          ['Category', dataType.category],
          ['Fields', fields.length],
          ['Records here', <Count key="total" n={total} />],
          ['Main date', mainDate],
          ['Changed', <Day key="day" date={dataType.updatedAt} />],
        ]}
      />
      <section className="stack is-wrapping" aria-labelledby="fields">
        <h2 id="fields">Fields</h2>
        <DataTable columns={fieldColumns} rows={fields} label={`Fields of ${dataType.name}`} />
      </section>
      <SourcesHere />
      {total && values ? (
        <section className="stack" aria-labelledby="values">
          <h2 id="values">Values</h2>
          <FieldFactsList facts={values} hasRecords={false} />
        </section>
      ) : null}
      <section className="stack" aria-labelledby="used">
        <h2 id="used">Used by</h2>
        <UsedBy dataTypeId={dataType.id} sources={[]} uses={uses} />
      </section>
      {sample.rows.length ? (
        <section className="stack" aria-labelledby="sample">
          <h2 id="sample">Newest records</h2>
          <DataTable {...sample} label={`Newest records of ${dataType.name}`} />
        </section>
      ) : null}
    </Screen>
  )
}

function SourcesHere() {
  const { dataType, sources, maySource } = useLoaderData<typeof loader>()
  return (
    <section className="stack" aria-labelledby="sources">
      <h2 id="sources">Sources here</h2>
      {sources.length ? (
        <ul className="list">
          {sources.map((source) => (
            <ListItem
              key={source.id}
              to={`/sources/${source.id}`}
              title={source.name}
              meta={
                <>
                  <span>
                    <Count n={source.count} /> records
                  </span>
                  <VisibilityBadge visibility={source.visibility} />
                </>
              }
            />
          ))}
        </ul>
      ) : (
        <EmptyState
          level={3}
          title="No sources yet"
          text="This organization keeps no records of this type."
          action={
            maySource ? (
              <Link className="button is-primary" to={`/sources/create?dataType=${dataType.id}`}>
                Make a source of it
              </Link>
            ) : null
          }
        />
      )}
    </section>
  )
}
