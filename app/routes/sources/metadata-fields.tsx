import { SelectField, TextField } from '#app/components/form/field.tsx'
import { cadences, type Cadence } from '#functions/shapes/metadata.ts'
import { licenceChoices, type ShownMetadata } from './metadata-form.ts'

/** The cadences as options of a form. */
export const cadenceNames: Record<Cadence, string> = {
  continuous: 'All the time',
  daily: 'Every day',
  weekly: 'Every week',
  fortnightly: 'Every two weeks',
  monthly: 'Every month',
  quarterly: 'Every three months',
  halfYearly: 'Every six months',
  yearly: 'Every year',
  everyTwoYears: 'Every two years',
  irregular: 'At no fixed time',
  never: 'Not any more',
}

/** The metadata inputs of a source. Empty ones are shown nowhere. The form's initial values are `metadataValues`. */
export function MetadataFields({ source }: { source: ShownMetadata }) {
  return (
    <fieldset className="fieldset">
      <legend>For readers</legend>
      <div className="field-row">
        <TextField label="Tags" name="tags" hint="Words to find it by, with commas between them." />
        <TextField label="Topic" name="topic" hint="Empty: that of its data type." />
      </div>
      <div className="field-row">
        <TextField label="Publisher" name="publisher" hint="Empty: your organization." />
        <TextField
          label="Web address of the publisher"
          name="publisherUrl"
          type="url"
          hint="Starts with https://"
        />
      </div>
      <div className="field-row">
        <TextField label="Who answers questions" name="contactName" hint="A person or an office." />
        <TextField
          label="Where to ask"
          name="contact"
          hint="An email address or a web address. Everyone who sees the source sees it."
        />
      </div>
      <SelectField
        label="New data comes"
        name="cadence"
        hint="The hub says when the next is expected."
        options={[
          { value: '', label: 'Not stated' },
          ...cadences.map((cadence) => ({ value: cadence, label: cadenceNames[cadence] })),
        ]}
      />
      <SelectField
        label="Licence"
        name="licence"
        hint="Readers get its name with a link to its text."
        options={licenceChoices(source.licence)}
      />
      <div className="field-row">
        <TextField
          label="Another licence"
          name="otherLicence"
          hint="Its name. Only for one that is not on the list."
          maxLength={200}
        />
        <TextField label="Web address of its text" name="licenceUrl" type="url" hint="Starts with https://" />
      </div>
    </fieldset>
  )
}
