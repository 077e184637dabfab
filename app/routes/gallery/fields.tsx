import { useState } from 'react'
import { CheckField, SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { FormFields } from '#app/components/form/form-fields.ts'
import type { FormErrors } from '#app/components/form/issues.ts'
import { DraftForm } from '#app/components/form/draft-form.tsx'
import { RichField } from '#app/components/form/rich-field.tsx'
import { ScheduleField } from '#app/components/form/schedule-field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { FileDrop } from '#app/components/importer/file-drop.tsx'
import { visibilityOptions } from '#app/components/list/badges.tsx'
import { RecordForm } from '#app/components/schema/record-form.tsx'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { Part, Sample } from './sample.tsx'

const names = ['name', 'summary', 'visibility', 'agreed', 'schedule', 'text']
const errors: FormErrors = {
  ok: false,
  message: 'The collection was not saved.',
  issues: [
    ...names.map((name) => ({ path: [name], message: `This cannot be the ${name}.` })),
    { path: ['rows'], message: 'A thing without a field of its own is wrong, too.' },
  ],
}
const schema: FieldSchema = {
  street: { name: 'Street', type: 'text' },
  height: { name: 'Height', type: 'number' },
  planted: { name: 'Planted', type: 'date' },
  isProtected: { name: 'Protected', type: 'boolean' },
}

/** Inputs, each as it is and as it looks when it was refused. */
export function Fields() {
  return (
    <Part title="Fields">
      <Sample name="TextField, TextArea, SelectField, CheckField, ScheduleField">
        <Inputs id="fine" errors={undefined} />
      </Sample>
      <Sample name="The same, refused, with FormError">
        <Inputs id="refused" errors={errors} />
      </Sample>
      <Sample name="The same, where someone else was faster">
        <Conflict />
      </Sample>
      <Sample name="RichField">
        <RichField
          label="Text"
          name="text"
          hint="Shown above the insights."
          html="<p>Every tree that the <b>city</b> cares for.</p>"
          isClosed
        />
      </Sample>
      <Sample name="FileDrop">
        <FileDrop name="file" title="Drop a file here" hint="CSV, Excel, GeoJSON or JSON, up to 1 GB" />
      </Sample>
      <Sample name="RecordForm">
        <Records />
      </Sample>
    </Part>
  )
}

function Inputs({ id, errors: issues }: { id: string; errors: FormErrors | undefined }) {
  return (
    <DraftForm thing={`gallery/${id}`} title="Gallery" className="form" asks={false}>
      <FormError errors={issues} names={names} />
      <TextField label="Name" name="name" hint="As people search for it." required errors={issues} />
      <TextArea label="Summary" name="summary" defaultValue="Two lines at most." errors={issues} />
      <SelectField label="Who sees it" name="visibility" options={visibilityOptions} errors={issues} />
      <CheckField label="I may publish this" name="agreed" errors={issues} />
      <ScheduleField
        label="When it runs"
        name="schedule"
        value="0 6 * * 1-5"
        hasOnData
        timeZone="America/Los_Angeles"
        errors={issues}
      />
      <div className="form-actions">
        <SubmitButton intent="save" doing="Saving…">
          Save
        </SubmitButton>
      </div>
    </DraftForm>
  )
}

const conflict: FormErrors = {
  ok: false,
  message: 'It was changed in the meantime.',
  issues: [{ path: ['version'], message: 'It was changed in the meantime.' }],
}

/** Both versions of each field: what was typed in the input, what the other has saved below it. */
function Conflict() {
  const saved = { name: 'Street trees', summary: 'What the city plants.', visibility: 'public' }
  const formValues = { name: 'Trees of the city', summary: 'What the city plants.', visibility: 'place' }
  return (
    <FormFields.Provider value={{ saved, formValues, errors: conflict }}>
      <div className="form">
        <FormError errors={conflict} names={names} />
        <TextField label="Name" name="name" />
        <TextArea label="Summary" name="summary" />
        <SelectField label="Who sees it" name="visibility" options={visibilityOptions} />
      </div>
    </FormFields.Provider>
  )
}

function Records() {
  const [record, setRecord] = useState<Record<string, unknown>>({ street: 'Pine Street', height: 12.5 })
  return <RecordForm schema={schema} record={record} errors={undefined} onChange={setRecord} />
}
