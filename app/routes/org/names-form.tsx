import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { RichField } from '#app/components/form/rich-field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { KeptForm } from '#app/components/form/kept-form.tsx'

export interface NamesFormProps {
  place: {
    name: string
    displayName: string
    description: string
    about: string
    timeZone: string
    version: number
  }
  timeZones: string[]
  refused: RefusedForm | undefined
  given: Record<string, string> | undefined
}

const names = ['name', 'displayName', 'description', 'about', 'timeZone']

/** What the organization is called, what it says of itself, and when its day begins. */
export function NamesForm({ place, timeZones, refused, given }: NamesFormProps) {
  const shown = { ...place, ...given }
  const zones = timeZones.includes(place.timeZone) ? timeZones : [place.timeZone, ...timeZones]
  return (
    <KeptForm
      thing="organization/names"
      title={`${place.displayName}: names and texts`}
      version={place.version}
      className="form"
      preventScrollReset
    >
      <input type="hidden" name="version" value={place.version} />
      <FormError refused={refused} names={names} />
      <div className="field-row">
        <TextField
          label="Display name"
          name="displayName"
          hint="Stands in titles, on the hub and in letters."
          required
          maxLength={200}
          defaultValue={shown.displayName}
          refused={refused}
        />
        <TextField
          label="Full name"
          name="name"
          hint="As it is called officially."
          required
          maxLength={200}
          defaultValue={shown.name}
          refused={refused}
        />
      </div>
      <TextArea
        label="Description"
        name="description"
        hint="One or two sentences: search engines and shared links show them."
        maxLength={2000}
        rows={3}
        defaultValue={shown.description}
        refused={refused}
      />
      <RichField
        label="About"
        name="about"
        hint="The page “About” of the hub."
        html={shown.about}
        refused={refused}
        isClosed
      />
      <SelectField
        label="Time zone"
        name="timeZone"
        hint="Days begin by it, in charts and lists."
        options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        defaultValue={shown.timeZone}
        refused={refused}
      />
      <div className="form-actions">
        <SubmitButton intent="names" doing="Saving…">
          Save names and texts
        </SubmitButton>
      </div>
    </KeptForm>
  )
}
