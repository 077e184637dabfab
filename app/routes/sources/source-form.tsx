import { Form } from '@remix-run/react'
import { visibilityOptions } from '#app/components/list/badges.tsx'
import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { KeptForm } from '#app/components/form/kept-form.tsx'

export interface SourceFormProps {
  source: {
    id: string
    name: string
    notes: string
    visibility: string
    attribution: string | null
    attributionUrl: string | null
    licence: string | null
    version: number
  }
  isHub: boolean
  refused: RefusedForm | undefined
  /** What was sent when it was refused. */
  given: Record<string, string> | undefined
}

const names = ['name', 'notes', 'visibility', 'attribution', 'attributionUrl', 'licence'] as const

/** What of a source people may change, and the short way onto the hub. */
export function SourceForm({ source, isHub, refused, given }: SourceFormProps) {
  const value = (name: (typeof names)[number]) => given?.[name] ?? source[name] ?? ''
  return (
    <section className="stack" id="settings" aria-labelledby="settings-title">
      <h2 id="settings-title">Settings</h2>
      {isHub ? <PublishLine version={source.version} isPublic={source.visibility === 'public'} /> : null}
      <KeptForm
        thing={`source/${source.id}`}
        title={source.name}
        version={source.version}
        className="form"
        preventScrollReset
        key={source.visibility}
      >
        <FormError refused={refused} names={names} />
        <input type="hidden" name="version" value={source.version} />
        <TextField
          label="Name"
          name="name"
          required
          maxLength={200}
          defaultValue={value('name')}
          refused={refused}
        />
        <TextArea
          label="Notes"
          name="notes"
          hint="What the records are, how they were made, what is missing."
          defaultValue={value('notes')}
          refused={refused}
        />
        <SelectField
          label="Visibility"
          name="visibility"
          options={visibilityOptions}
          defaultValue={value('visibility')}
          refused={refused}
        />
        <div className="field-row">
          <TextField
            label="From"
            name="attribution"
            hint="Who made the records."
            defaultValue={value('attribution')}
            refused={refused}
          />
          <TextField
            label="Web address of who made them"
            name="attributionUrl"
            type="url"
            hint="Starts with https://"
            defaultValue={value('attributionUrl')}
            refused={refused}
          />
        </div>
        <TextField
          label="Licence"
          name="licence"
          hint="For instance CC BY 4.0."
          defaultValue={value('licence')}
          refused={refused}
        />
        <div className="form-actions">
          <SubmitButton intent="save" doing="Saving…">
            Save
          </SubmitButton>
        </div>
      </KeptForm>
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
