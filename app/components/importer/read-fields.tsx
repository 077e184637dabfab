import { SelectField } from '../form/field.tsx'
import { parserOptions, takesSelector } from './parser-guess.ts'
import type { ParserName } from '#functions/shapes/parser/index.ts'

interface ReadFieldsProps {
  parser: ParserName
  selector: string
  /** The selectors that were found where the rows may be. */
  selectors: string[]
  onParser?(parser: string): void
  onSelector?(selector: string): void
}

/** How a file is read: its format, and where in it the rows are. */
export function ReadFields({ parser, selector, selectors, onParser, onSelector }: ReadFieldsProps) {
  const offered = [...new Set([...(selector ? [selector] : []), ...selectors])]
  return (
    <div className="field-row">
      <SelectField
        label="Format"
        name="parser"
        key={`p-${parser}`}
        options={parserOptions}
        defaultValue={parser}
        onChange={(event) => onParser?.(event.currentTarget.value)}
      />
      {takesSelector(parser) ? (
        <SelectField
          label="Where the rows are"
          name="selector"
          key={`s-${selector}`}
          hint={
            parser === 'excel'
              ? 'A sheet of the workbook.'
              : 'Found in the file; * is every member of the whole.'
          }
          options={[{ value: '', label: 'As found' }, ...offered.map((value) => ({ value, label: value }))]}
          defaultValue={selector}
          onChange={(event) => onSelector?.(event.currentTarget.value)}
        />
      ) : null}
    </div>
  )
}
