import { EditForm } from '#app/components/form/edit-form.tsx'
import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { RichField } from '#app/components/form/rich-field.tsx'

export interface NamesFormProps {
  place: {
    name: string
    displayName: string
    description: string
    about: string
    publisher: string
    contact: string
    privacy: string
    timeZone: string
    version: number
  }
  timeZones: string[]
}

export const placeNames = [
  'name',
  'displayName',
  'description',
  'about',
  'publisher',
  'contact',
  'privacy',
  'timeZone',
] as const

/** Names, description and time zone of the organization. */
export function NamesForm({ place, timeZones }: NamesFormProps) {
  const zones = timeZones.includes(place.timeZone) ? timeZones : [place.timeZone, ...timeZones]
  return (
    <EditForm
      thing="organization/names"
      title={`${place.displayName}: names and texts`}
      version={place.version}
      preventScrollReset
      names={placeNames}
      saved={place}
      save={{ intent: 'names', label: 'Save names and texts', doing: 'Saving…' }}
    >
      <div className="field-row">
        <TextField
          label="Display name"
          name="displayName"
          hint="It stands in titles, on the hub and in emails."
          required
          maxLength={200}
        />
        <TextField
          label="Full name"
          name="name"
          hint="As it is called officially."
          required
          maxLength={200}
        />
      </div>
      <TextArea
        label="Description"
        name="description"
        hint="One or two sentences: search engines and shared links show them."
        maxLength={2000}
        rows={3}
      />
      <RichField label="About" name="about" hint="The page “About” of the hub." isClosed />
      <PublicFields />
      <SelectField
        label="Time zone"
        name="timeZone"
        hint="Days begin by it, in charts and lists."
        options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      />
    </EditForm>
  )
}

/** Publisher, contact, and privacy policy. */
function PublicFields() {
  return (
    <>
      <div className="field-row">
        <TextField
          label="Publisher"
          name="publisher"
          hint="Who answers for the data, by its official name. Optional."
          maxLength={200}
        />
        <TextField
          label="Contact"
          name="contact"
          hint="An email address or a web address. The hub shows it to everyone."
          maxLength={500}
        />
      </div>
      <RichField
        label="Privacy"
        name="privacy"
        hint="Stands on the page “Privacy” of the hub, above what the hub itself does with a visit."
        isClosed
      />
    </>
  )
}
