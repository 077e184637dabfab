import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useState } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { ScheduleField } from '#app/components/form/schedule-field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { moveSetIssues, setInputs } from '#app/components/importer/mapping-form.ts'
import { MappingFields, getWordsByColumn } from '#app/components/importer/mapping-fields.tsx'
import { modeOptions } from './mapping-form-page.tsx'
import { RemoteFields } from '#app/components/importer/remote-fields.tsx'
import { sourceInputsIn } from '#app/components/importer/remote-source.ts'
import { TrialRows } from '#app/components/importer/trial-rows.tsx'
import { TrialSummary } from '#app/components/importer/trial-summary.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { modifyImporter, modifyImporterScreen } from './importer.server.ts'

export const loader = modifyImporterScreen

export const action = modifyImporter

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ importer: { name: string } }>(({ importer }) => `Edit ${importer.name}`)

const names = ['name', 'mode', 'schedule', 'timeoutSeconds', 'retries']

export default function ModifyImporter() {
  const { source, importer, schema, mayDelete } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const errors = readFormErrors(outcome)
  const at = `/sources/${source.id}/importers/${importer.id}`
  return (
    <Screen
      isStack
      title={`Edit ${importer.name}`}
      crumbs={[
        { label: 'Data', to: '/sources' },
        { label: source.name, to: `/sources/${source.id}` },
        { label: importer.name, to: at },
      ]}
    >
      <EditForm
        thing={`importer/${importer.id}`}
        title={importer.name}
        version={importer.version}
        className="stack"
        preventScrollReset
        names={[...names, ...setInputs(schema), ...sourceInputsIn(errors)]}
        place={moveSetIssues}
        saved={importer}
        save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
        intents={['saveAndCheck', 'try', 'delete']}
        more={
          <SubmitButton intent="saveAndCheck" className="button" doing="Saving…">
            Save and check all rows
          </SubmitButton>
        }
        cancel={{ to: at }}
      >
        <div className="field-row">
          <TextField label="Name" name="name" required maxLength={200} />
          <SelectField label="Records that are there" name="mode" options={modeOptions} />
        </div>
        <fieldset className="fieldset">
          <legend>What is read</legend>
          <RemoteFields
            sources={outcome?.submittedSources ?? importer.sources}
            files={importer.files}
            errors={errors}
          />
        </fieldset>
        <FieldMapping />
        <WhenItRuns />
      </EditForm>
      {mayDelete ? (
        <Form method="post" className="danger-zone">
          <p className="muted">Its runs and their logs go with it; the records stay.</p>
          <ConfirmButton
            intent="delete"
            question={`Delete ${importer.name}?`}
            text="Its schedule, its runs and their logs are gone. The records that it brought in stay."
            answer="Delete"
          >
            Delete the importer
          </ConfirmButton>
        </Form>
      ) : null}
    </Screen>
  )
}

/** The mapping of columns to fields, and its result for the tried rows. */
function FieldMapping() {
  const { importer, schema, sets, proposal, untried } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const submittedTrial = outcome?.ok && outcome.intent === 'try' ? outcome.result : null
  const mappingTrial = submittedTrial ?? proposal
  const isProposed = !submittedTrial && proposal !== null && Object.keys(proposal.mapping).length > 0
  return (
    <fieldset className="fieldset">
      <legend>Field mapping</legend>
      {isProposed ? (
        <p className="notice">Proposed from the first rows. Nothing is kept before you save it.</p>
      ) : null}
      {untried && !submittedTrial ? <FormError errors={untried} names={[]} /> : null}
      <MappingFields
        schema={schema}
        sets={sets}
        mapping={mappingTrial?.mapping ?? importer.mapping}
        columns={mappingTrial?.columns ?? importer.columns}
        paths={mappingTrial?.trialResult.paths ?? []}
        words={mappingTrial ? getWordsByColumn(mappingTrial.trialResult.guess) : {}}
        rows={mappingTrial?.trialResult.rows ?? []}
      />
      <p>
        <SubmitButton intent="try" className="button" doing="Trying…">
          Show what comes out
        </SubmitButton>
      </p>
      {mappingTrial ? (
        <>
          <TrialSummary trialResult={mappingTrial.trialResult} of={importer.name} />
          <TrialRows
            trialResult={mappingTrial.trialResult}
            fields={Object.entries(schema).map(([key, field]) => ({ key, name: field.name }))}
          />
        </>
      ) : null}
    </fieldset>
  )
}

/** Its schedule, timeout and handling of failures. */
function WhenItRuns() {
  const { importer, timeZone } = useLoaderData<typeof loader>()
  const [isScheduled, setScheduled] = useState(importer.schedule !== null)
  const isHydrated = useHydrated()
  return (
    <fieldset className="fieldset" id="schedule">
      <legend>When it runs</legend>
      <CheckField
        label="It runs by itself"
        name="isScheduled"
        defaultChecked={isScheduled}
        onChange={(event) => setScheduled(event.currentTarget.checked)}
      />
      {isScheduled || !isHydrated ? (
        <ScheduleField
          label="Runs"
          name="schedule"
          value={importer.schedule ?? '0 6 * * *'}
          hasOnData={false}
          timeZone={timeZone}
        />
      ) : null}
      <div className="field-row">
        <TextField
          label="Takes at most, in minutes"
          name="timeoutMinutes"
          type="number"
          min={1}
          max={1440}
          required
          defaultValue={Math.ceil(importer.timeoutSeconds / 60)}
        />
        <TextField
          label="Tries again"
          name="retries"
          type="number"
          min={0}
          max={10}
          required
          hint="Where its source does not answer."
        />
      </div>
      <CheckField
        label="Write to organization admins when a scheduled run fails"
        name="notifyOnFailure"
        defaultChecked={importer.notifyOnFailure}
      />
    </fieldset>
  )
}
