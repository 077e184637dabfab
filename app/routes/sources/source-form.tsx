import { Form } from '@remix-run/react'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { MetadataFields } from './metadata-fields.tsx'
import type { CustomField, CustomValues } from '#functions/shapes/custom-field.ts'
import { customFormValues, customName } from './custom-form.ts'
import { CustomInputs } from './custom-inputs.tsx'
import { metadataNames, metadataValues, withTagIssues, type ShownMetadata } from './metadata-form.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { visibilityOptions } from '#app/components/list/badges.tsx'

export interface SourceFormProps {
  source: {
    id: string
    name: string
    notes: string
    visibility: string
    attribution: string | null
    attributionUrl: string | null
    version: number
    customFields: CustomValues
  } & ShownMetadata
  isHub: boolean
  /** The organization's custom fields. */
  customFields: readonly CustomField[]
}

const names = ['name', 'notes', 'visibility', 'attribution', 'attributionUrl'] as const

/** The editable properties of a source, and a shortcut to publish it on the hub. */
export function SourceForm({ source, isHub, customFields }: SourceFormProps) {
  return (
    <section className="stack" id="settings" aria-labelledby="settings-title">
      <h2 id="settings-title">Settings</h2>
      {isHub ? <PublishLine version={source.version} isPublic={source.visibility === 'public'} /> : null}
      <EditForm
        thing={`source/${source.id}`}
        title={source.name}
        version={source.version}
        preventScrollReset
        key={source.visibility}
        names={[...names, ...metadataNames, ...customFields.map(({ key }) => customName(key))]}
        saved={{
          ...source,
          ...metadataValues(source),
          ...customFormValues(customFields, source.customFields),
        }}
        place={withTagIssues}
        save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
        intents={['publish', 'unpublish', 'wipe', 'delete']}
      >
        <TextField label="Name" name="name" required maxLength={200} />
        <TextArea
          label="Notes"
          name="notes"
          hint="What the records are, how they were made, what is missing."
        />
        <SelectField label="Visibility" name="visibility" options={visibilityOptions} />
        <div className="field-row">
          <TextField label="From" name="attribution" hint="Who made the records." />
          <TextField
            label="Web address of who made them"
            name="attributionUrl"
            type="url"
            hint="Starts with https://"
          />
        </div>
        <MetadataFields source={source} />
        <CustomInputs fields={customFields} />
      </EditForm>
    </section>
  )
}

function PublishLine({ version, isPublic }: { version: number; isPublic: boolean }) {
  return (
    <Form method="post" className="publish-line" preventScrollReset>
      <input type="hidden" name="version" value={version} />
      <p>{isPublic ? 'Everyone can read it on the hub.' : 'It is not on the hub.'}</p>
      {isPublic ? (
        <SubmitButton intent="unpublish" className="button">
          Take it off the hub
        </SubmitButton>
      ) : (
        <SubmitButton intent="publish" doing="Publishing…">
          Publish to the hub
        </SubmitButton>
      )}
    </Form>
  )
}
