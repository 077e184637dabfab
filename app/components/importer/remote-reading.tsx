import { useState } from 'react'
import { CheckField, SelectField, TextArea, TextField } from '../form/field.tsx'
import type { FormErrors } from '../form/issues.ts'
import { parserOptions, takesOption } from './parser-guess.ts'
import { sourceInput, type ShownSource } from './remote-source.ts'
import { autoFormats } from '#functions/shapes/parser/parser.ts'

const formatNames: Record<(typeof autoFormats)[number], string> = {
  simple: 'Numbers, dates and the like',
  aggressive: 'Numbers and dates, and names of columns in one form',
  extreme: 'All of that, and places from columns of coordinates',
}
const formats = [
  { value: '', label: 'As the fields say' },
  ...autoFormats.map((value) => ({ value, label: formatNames[value] })),
]

/** The format, and its options. */
export function RemoteReading({ source, errors }: { source: ShownSource; errors: FormErrors | undefined }) {
  const { id } = source
  const [parser, setParser] = useState(source.parser)
  const getInputName = (name: string) => sourceInput(id, 'parserOptions', name)
  const getOptionClass = (name: string) => (takesOption(parser, name) === 'no' ? 'is-unchosen' : undefined)
  return (
    <>
      <div className="field-row">
        <SelectField
          label="Format"
          name={sourceInput(id, 'parser')}
          options={parserOptions}
          defaultValue={source.parser}
          onChange={(event) => setParser(event.currentTarget.value)}
          errors={errors}
        />
        <div className={getOptionClass('selector')}>
          <TextArea
            label="Where the rows are"
            name={getInputName('selector')}
            rows={2}
            spellCheck={false}
            autoCapitalize="none"
            defaultValue={source.selector}
            hint={selectorHint(parser)}
            errors={errors}
          />
        </div>
        <SelectField
          label="Values made of texts"
          name={getInputName('autoFormat')}
          options={formats}
          defaultValue={source.autoFormat}
          errors={errors}
        />
      </div>
      <div className={getOptionClass('headerRows')}>
        <TextField
          label="Rows of the header"
          name={getInputName('headerRows')}
          inputMode="numeric"
          defaultValue={source.headerRows}
          hint="Counted in the file, such as 4 or 4-5: rows above are left out, several become one name a column. Empty: the first row with something in it."
          errors={errors}
        />
      </div>
      <div className={getOptionClass('leaveOut')}>
        <LeaveOutFields {...{ source, errors }} />
      </div>
      <div className={getOptionClass('zip')}>
        <CheckField
          label="A zip archive of files in this format"
          name={getInputName('zip')}
          value="yes"
          defaultChecked={source.zip}
          errors={errors}
        />
      </div>
      <div className={getOptionClass('strict')}>
        <CheckField
          label="Stop at what is not well-formed"
          name={getInputName('strict')}
          value="yes"
          defaultChecked={source.strict}
          errors={errors}
        />
      </div>
    </>
  )
}

function selectorHint(parser: string): string {
  if (parser === 'excel' || parser === 'ods')
    return 'Names of sheets, each on a line, or parts of them such as Data!A3:F. Empty: all of them.'
  if (parser === 'gpkg') return 'Names of layers, each on a line. Empty: all that have geometries.'
  if (parser === 'json')
    return 'A path such as data.* or $.data[*]; several each on a line. Empty: every member of the whole.'
  return 'A path such as data.*; several each on a line. Empty: every member of the whole.'
}

/** The options for rows below a table that are not records. */
function LeaveOutFields({ source, errors }: { source: ShownSource; errors: FormErrors | undefined }) {
  const getInputName = (name: string) => sourceInput(source.id, 'parserOptions', name)
  return (
    <>
      <CheckField
        label="Leave out notes and sources below the table"
        name={getInputName('leaveNotes')}
        value="yes"
        defaultChecked={source.leaveNotes}
        errors={errors}
      />
      <CheckField
        label="Leave out totals and subtotals"
        name={getInputName('leaveTotals')}
        value="yes"
        defaultChecked={source.leaveTotals}
        errors={errors}
      />
      <TextArea
        label="But take in rows that begin with"
        name={getInputName('takeIn')}
        rows={2}
        spellCheck={false}
        defaultValue={source.takeIn}
        hint="What stands first in such a row, each on a line. A run says how many rows were left out, and which."
        errors={errors}
      />
    </>
  )
}
