import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { ActionError } from '#app/components/form/form-error.tsx'
import { SelectField, TextField } from '#app/components/form/field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { SearchInput, SortSelect } from '#app/components/list/list-bar.tsx'
import { showsPart } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { bulkOffer, maxChanged } from './bulk-offer.ts'
import { bulkScreen, runBulkEdit, type BulkField } from './bulk.server.ts'
import { customName } from './custom-form.ts'
import { CustomInput } from './custom-inputs.tsx'
import { cadenceNames } from './metadata-fields.tsx'
import { cadences, type Cadence } from '#functions/shapes/metadata.ts'
import { offeredLicences } from '#functions/shapes/licences.ts'

/** Bulk editing of sources: selected, previewed, applied, and reverted. */
export const loader = bulkScreen

export const action = runBulkEdit

export const meta = placeTitle('Describe many sources')

const fieldNames: Record<BulkField, string> = {
  licence: 'Licence',
  cadence: 'New data comes',
  topic: 'Topic',
  contact: 'Where to ask',
}

const asItIs = { value: '', label: 'Leave as it is' }

export default function DescribeMany() {
  const { plannedChanges, hasCriteria, chosen: chosenSources } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  return (
    <Screen
      isStack
      title="Describe many sources"
      crumbs={[{ label: 'Data', to: '/sources' }]}
      sub="Say the same of several sources at once. You see what changes before anything is saved."
    >
      <ActionError />
      {outcome?.ok ? (
        <Changed count={outcome.undo === null ? 0 : outcome.result} undo={outcome.undo} />
      ) : null}
      <Choice />
      {plannedChanges.length ? (
        <Preview />
      ) : hasCriteria && !outcome?.ok ? (
        <p className="muted" role="status">
          {chosenSources.length
            ? 'The chosen sources say all of that already.'
            : 'Choose at least one source.'}
        </p>
      ) : null}
    </Screen>
  )
}

/** The confirmation, with an undo button. */
function Changed({ count, undo }: { count: unknown; undo: string | null }) {
  if (undo === null)
    return (
      <p className="notice" role="status">
        The sources are as they were before.
      </p>
    )
  return (
    <Form method="post" className="publish-line">
      <input type="hidden" name="steps" value={undo} />
      <p role="status">
        {String(count)} {count === 1 ? 'source is' : 'sources are'} changed.
      </p>
      <SubmitButton intent="undo" className="button" doing="Undoing…">
        Undo
      </SubmitButton>
    </Form>
  )
}

/** The choice of sources and values: one form, so that a search and another page keep ticks and values. */
function Choice() {
  const { list, visibleCount, chosen: chosenSources, others } = useLoaderData<typeof loader>()
  const { query, total } = list
  if (total === 0 && chosenSources.length === 0 && !showsPart(query))
    return (
      <p className="muted">
        There are no sources yet. <Link to="/sources/create">Add data</Link>
      </p>
    )
  return (
    <Form
      method="get"
      preventScrollReset
      className="stack"
      key={[query.search, query.sort, ...[...chosenSources, ...others].map(({ id }) => id)].join(' ')}
    >
      <SearchBar />
      <SourceChoice />
      <Pager {...{ query, visibleCount, total }} noun="sources" submits="page" />
      <Values />
      <div>
        <button className="button" name="page" value={query.page}>
          See what changes
        </button>
      </div>
    </Form>
  )
}

/** The search and the order of the list. Their result begins at its first page. */
function SearchBar() {
  const { query } = useLoaderData<typeof loader>().list
  return (
    <div role="search" className="toolbar">
      <SearchInput label="Search sources" query={query} />
      <SortSelect offer={bulkOffer} query={query} />
      <button className="button" name="page" value="1">
        Search
      </button>
    </div>
  )
}

/** The chosen sources, then the others of the page. */
function SourceChoice() {
  const { list, chosen: chosenSources, others, missing, isCut } = useLoaderData<typeof loader>()
  return (
    <fieldset className="fieldset">
      <legend>Which sources</legend>
      {chosenSources.map((source) => (
        <Tick key={source.id} {...source} isChosen />
      ))}
      {others.map((source) => (
        <Tick key={source.id} {...source} />
      ))}
      {others.length === 0 && showsPart(list.query) ? (
        <p className="muted">No other source fits what you are looking for.</p>
      ) : null}
      {isCut ? (
        <p className="muted" role="status">
          At most {maxChanged} sources change at once: only the first {maxChanged} are chosen.
        </p>
      ) : null}
      {missing > 0 ? (
        <p className="muted" role="status">
          {missing === 1 ? 'One chosen source is' : `${missing} chosen sources are`} not there any more.
        </p>
      ) : null}
    </fieldset>
  )
}

function Tick({ id, name, isChosen = false }: { id: string; name: string; isChosen?: boolean }) {
  return (
    <label className="choice">
      <input type="checkbox" name="id" value={id} defaultChecked={isChosen} />
      {name}
    </label>
  )
}

/** The values to set. */
function Values() {
  const { values, customFields } = useLoaderData<typeof loader>()
  return (
    <fieldset className="fieldset">
      <legend>What to say of them</legend>
      <div className="field-row">
        <SelectField
          label={fieldNames.licence}
          name="licence"
          defaultValue={values.licence}
          options={[asItIs, ...offeredLicences.map(({ title }) => ({ value: title, label: title }))]}
        />
        <SelectField
          label={fieldNames.cadence}
          name="cadence"
          defaultValue={values.cadence}
          options={[asItIs, ...cadences.map((value) => ({ value, label: cadenceNames[value] }))]}
        />
      </div>
      <div className="field-row">
        <TextField
          label={fieldNames.topic}
          name="topic"
          defaultValue={values.topic}
          maxLength={100}
          hint="Empty: each keeps its own."
        />
        <TextField
          label={fieldNames.contact}
          name="contact"
          defaultValue={values.contact}
          hint="An email address or a web address. Empty: each keeps its own."
        />
      </div>
      {customFields.map((field) => (
        <CustomInput
          key={field.key}
          field={field}
          name={customName(field.key)}
          defaultValue={values[customName(field.key)]}
          empty={asItIs.label}
        />
      ))}
    </fieldset>
  )
}

/** The preview for each source, and the button that applies it. */
function Preview() {
  const { plannedChanges, customFields } = useLoaderData<typeof loader>()
  const titles = new Map(customFields.map(({ key, title }) => [customName(key), title]))
  const shownVersions = JSON.stringify(
    Object.fromEntries(plannedChanges.map(({ id, version }) => [id, version])),
  )
  return (
    <section className="stack" aria-labelledby="preview">
      <h2 id="preview">What changes</h2>
      {}
      <div className="table-box" role="region" aria-labelledby="preview" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">What</th>
              <th scope="col">Now</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {plannedChanges.flatMap(({ id, name, rows }) =>
              rows.map(({ field, now, then, isKept }) => (
                <tr key={`${id} ${field}`}>
                  <th scope="row">{name}</th>
                  <td>{titles.get(field) ?? fieldNames[field as BulkField]}</td>
                  <td>
                    {now === null ? <span className="muted">Not stated</span> : formatFieldValue(field, now)}
                  </td>
                  <td>
                    {formatFieldValue(field, then)}
                    {isKept ? <span className="muted"> (required: undoing keeps it)</span> : null}
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
      <Form method="post">
        <input type="hidden" name="shown" value={shownVersions} />
        <SubmitButton intent="apply" doing="Changing…">
          {plannedChanges.length === 1 ? 'Change one source' : `Change ${plannedChanges.length} sources`}
        </SubmitButton>
      </Form>
    </section>
  )
}

const formatFieldValue = (field: string, value: string) =>
  field === 'cadence' ? (cadenceNames[value as Cadence] ?? value) : value
