import { CheckField, SelectField } from '../form/field.tsx'
import { parserName, parserOptions, takesOption, takesSelector } from './parser-guess.ts'
import type { ArchiveFormat } from '#functions/engine/import/parse/archive-inspector.ts'
import type { SeenList } from './trial.ts'
import type { ParserName } from '#functions/shapes/parser/index.ts'

interface ReadFieldsProps {
  parser: ParserName
  /** 'yes' for an archive of such files, the name of one to read only this. */
  zip: string
  /** The formats in which a zip archive can be read; null if it is none. */
  archive?: ArchiveFormat[] | null
  selector: string
  /** The detected selectors. */
  selectors: string[]
  /** For counted lists, the number of rows and the first keys. */
  lists?: SeenList[]
  onParser?(parser: string): void
  onZip?(zip: string): void
  onSelector?(selector: string): void
}

/** Format and selector of a file. */
export function ReadFields({
  parser,
  zip,
  archive = null,
  selector,
  selectors,
  lists = [],
  onParser,
  onZip,
  onSelector,
}: ReadFieldsProps) {
  const listBySelector = new Map(lists.map((list) => [list.selector, list]))
  const choices = [...new Set([...(selector ? [selector] : []), ...selectors])]
  const parserFiles = zip ? archive?.find((each) => each.parser === parser && each.zip) : undefined
  const files = parserFiles?.files ?? []
  // A workbook is an archive only to programs.
  const isItself = archive?.length === 1 && archive.every((each) => !each.zip)
  return (
    <>
      <div className="field-row">
        <SelectField
          label="Format"
          name="parser"
          key={`p-${parser}`}
          hint={archive?.length && !isItself ? archiveWords(archive) : undefined}
          options={parserOptions}
          defaultValue={parser}
          onChange={(event) => onParser?.(event.currentTarget.value)}
        />
        {takesSelector(parser) ? (
          <SelectField
            label="Where the rows are"
            name="selector"
            key={`s-${selector}`}
            hint={getSelectorHint(parser, lists)}
            options={[
              { value: '', label: 'As found' },
              ...choices.map((value) => ({
                value,
                label: formatSelectorLabel(value, listBySelector.get(value)),
              })),
            ]}
            defaultValue={selector}
            onChange={(event) => onSelector?.(event.currentTarget.value)}
          />
        ) : null}
        {files.length > 1 ? (
          <SelectField
            label="Which file of the archive"
            name="zip"
            key={`z-${zip}`}
            options={[
              { value: 'yes', label: `All ${parserFiles?.count}, one after another` },
              ...files.map((value) => ({ value, label: value })),
            ]}
            defaultValue={zip}
            onChange={(event) => onZip?.(event.currentTarget.value)}
          />
        ) : null}
      </div>
      {files.length <= 1 && (zip || (archive && !isItself)) && takesOption(parser, 'zip') !== 'no' ? (
        <CheckField
          label="A zip archive of files in this format"
          name="zip"
          value="yes"
          key={`z-${zip}`}
          defaultChecked={zip !== ''}
          onChange={(event) => onZip?.(event.currentTarget.checked ? 'yes' : '')}
        />
      ) : null}
    </>
  )
}

/** What is in an archive, and by which rule its format was chosen. */
function archiveWords(archive: ArchiveFormat[]): string {
  const words = `In the archive: ${archive.map(formatWords).join(', ')}.`
  return archive.length > 1 ? `${words} The first of them is read unless you choose another.` : words
}

/** A format within an archive: "2 CSV files". */
const formatWords = ({ parser, count, zip }: ArchiveFormat) =>
  zip ? `${count} ${parserName(parser)} ${count === 1 ? 'file' : 'files'}` : parserName(parser)

function getSelectorHint(parser: ParserName, lists: SeenList[]): string {
  if (parser === 'gpkg') return 'A layer of the GeoPackage.'
  if (parser === 'excel' || parser === 'ods')
    return 'A sheet of the workbook, or a table of one that has several. Each run reads the one of this name.'
  if (!lists.length) return 'Found in the file; * is every member of the whole.'
  const isWhole = lists.every((list) => list.isWhole)
  return isWhole
    ? 'Lists of objects in the file, the longest first.'
    : 'Lists of objects in the beginning of the file (4 MB), the longest there first: the whole file may have more.'
}

/** The label of a selector: number of rows and keys. */
function formatSelectorLabel(selector: string, list: SeenList | undefined): string {
  if (!list) return selector
  const { keys, isWhole, isHidden } = list
  const rows = list.rows === 1 ? '1 row' : `${list.rows}${isWhole ? '' : '+'} rows`
  const keyNames = keys.length ? `: ${keys.slice(0, 4).join(', ')}` : ''
  const name = isHidden !== undefined && selector === '*' ? 'All sheets' : selector
  return `${name} (${isHidden ? 'hidden, ' : ''}${rows}${keyNames}${keys.length > 4 ? ' …' : ''})`
}
