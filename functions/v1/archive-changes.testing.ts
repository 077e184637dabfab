import { changeDocument, pack, text, type Files } from './archive.testing.ts'

type Change = (files: Files) => Files | File | Promise<File>
const without =
  (name: string): Change =>
  (files) => {
    const { [name]: _gone, ...rest } = files
    return rest
  }
const set =
  (name: string, ...values: [path: (string | number)[], value: unknown][]): Change =>
  (files) =>
    changeDocument(files, name, (document) => {
      for (const [path, value] of values) {
        let at = document as Record<string | number, unknown>
        for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>
        at[path.at(-1) as string] = value
      }
    })
const add =
  (name: string, content: string): Change =>
  (files) => ({ ...files, [name]: text(content) })
/** A translation of the story's title, with these changes. */
const addTranslation = (values: object): Change =>
  add(
    'translations.ndjson',
    JSON.stringify({
      ...{ noun: 'page', nounId: 'river-story', path: 'title', language: 'fr' },
      ...{ text: 'Au bord', original: 'By the river', ...values },
    }),
  )
const aside =
  (change: Change): Change =>
  (files) =>
    pack(change(files) as Files, true)
const type = 'types/river-stop.json'
const stopsFile = 'sources/river-stops.json'
const insight = 'insights/stops-by-quarter.json'
const story = 'pages/river-story.json'
const feed = 'importers/river-feed.json'
const watch = 'observers/river-watch.json'
const mediaId = (files: Files) =>
  Object.keys(files).flatMap((name) => /^media\/([0-9a-f-]{36})$/.exec(name)?.[1] ?? [])[0]

/** Manipulated archives: a description, the change, and the expected error. */
export const changes: [what: string, change: Change, refused: RegExp][] = [
  ['no manifest', aside(without('manifest.json')), /^manifest\.json: Without it/],
  ['another format', set('manifest.json', [['format'], 'zip']), /manifest\.json\.format: This is no archive/],
  [
    'a later version',
    set('manifest.json', [['version'], 2]),
    /manifest\.json\.version: Archives of version 1/,
  ],
  [
    'an unknown word in the manifest',
    set('manifest.json', [['role'], 'super_admin']),
    /manifest\.json\.role: Unknown field/,
  ],
  [
    'a place id that is an address',
    set('manifest.json', [['place', 'id'], '../other']),
    /manifest\.json\.place\.id: /,
  ],
  [
    'a reserved place id',
    set('manifest.json', [['place', 'id'], 'www']),
    /manifest\.json\.place\.id: This name is reserved/,
  ],
  [
    'a count that is not so',
    set('manifest.json', [['counts', 'records'], 5]),
    /manifest\.json\.counts\.records: The archive has 340/,
  ],
  [
    'a file that the manifest names twice',
    aside(set('manifest.json', [['files', 0], { name: type, bytes: 1, sha256: 'a'.repeat(64) }])),
    /manifest\.json\.files: Names a file twice/,
  ],
  [
    'two files of one name',
    (files) =>
      patched({ ...files, 'types/river-stoq.json': text('{}') }, 'types/river-stoq', 'types/river-stop'),
    /types\/river-stop\.json: There are two files of this name/,
  ],
  ['an archive that is cut off', (files) => cut(pack(files)), /cut off or damaged/],
  ['a table', () => new File(['a,b\n1,2\n'], 'archive.zip'), /not a zip archive/],
  ['a missing file', aside(without(type)), /^types\/river-stop\.json: The manifest names it/],
  [
    'a file beside the manifest',
    aside(add('types/more.json', '{}')),
    /^types\/more\.json: The manifest does not name it/,
  ],
  ['a path that leads out', add('../../etc/passwd', 'x'), /passwd: A file of this name is in no archive/],
  ['an absolute path', add('/types/river-stop.json', '{}'), /A file of this name/],
  ['a folder of members', add('users/ann.json', '{}'), /^users\/ann\.json: A file of this name/],
  ['an audit log', add('activities.ndjson', '{}'), /^activities\.ndjson: A file of this name/],
  [
    'other bytes under the same checksum',
    aside((files) => ({
      ...files,
      'records/river-stops.ndjson': flipped(files['records/river-stops.ndjson']),
    })),
    /records\/river-stops\.ndjson: It is another file/,
  ],
  [
    'a shorter file',
    aside((files) => ({ ...files, [story]: (files[story] as Uint8Array<ArrayBuffer>).slice(1) })),
    /another length/,
  ],
  ['no JSON', add(type, '{'), /^types\/river-stop\.json: It is no JSON/],
  [
    'no text',
    (files) => ({ ...files, [type]: new Uint8Array([0xff, 0xfe, 0x00]) }),
    /^types\/river-stop\.json: It is not text/,
  ],
  ['a zip bomb', add('records/river-stops.ndjson', ' '.repeat(30_000_000)), /grows more than 500 times/],
  [
    'an id of another file',
    set(stopsFile, [['id'], 'river-calls']),
    /river-stops\.json\.id: It is not the id/,
  ],
  [
    'a source of another place',
    set(stopsFile, [['placeId'], 'oakton']),
    /placeId: It is of another organization/,
  ],
  ['an author', set(stopsFile, [['createdBy'], 'super']), /river-stops\.json\.createdBy: Unknown field/],
  [
    'a source of a data type that is not in it',
    set(stopsFile, [['dataTypeId'], 'lamp']),
    /dataTypeId: The archive has no data type with the id lamp/,
  ],
  [
    'a field of a type that there is not',
    set(type, [['schema', 'people', 'type'], 'code']),
    /types\/river-stop\.json\.schema/,
  ],
  [
    'an importer that finds points by a boundary set of others',
    set('importers/river-feed.json', [['mapping', 'where', 'arguments', 1], 'wards']),
    /river-feed\.json\.mapping\.where\.arguments\.1: The archive has no boundary set with the id wards/,
  ],
  [
    'an importer with the address of a machine inside',
    set(feed, [['sources', 0, 'url'], 'http://169.254.169.254/latest/meta-data']),
    /river-feed\.json/,
  ],
  [
    'an importer whose address is a file',
    set(feed, [['sources', 0, 'url'], 'file:///etc/passwd']),
    /river-feed\.json\.sources\.0\.url/,
  ],
  [
    'an importer that transforms by code',
    set(feed, [['mapping', 'id'], { transform: 'evaluate', arguments: ['process.exit()'] }]),
    /river-feed\.json\.mapping\.id/,
  ],
  [
    'an importer with secrets',
    set(feed, [['secrets'], { token: 'x' }]),
    /river-feed\.json\.secrets: Unknown field/,
  ],
  [
    'an importer by someone',
    set(feed, [['createdBy'], 'super']),
    /river-feed\.json\.createdBy: Unknown field/,
  ],
  [
    'an importer into a source of others',
    set(feed, [['sourceId'], 'far-inner']),
    /river-feed\.json\.sourceId: The archive has no source/,
  ],
  [
    'an observer that calls an address',
    set(watch, [['webhookUrl'], 'https://evil.example/']),
    /river-watch\.json: An archive tells nobody/,
  ],
  [
    'an observer that writes to someone',
    set(watch, [['recipients'], ['ann@example.com']]),
    /river-watch\.json: An archive tells nobody/,
  ],
  [
    'an observer of a source of others',
    set(watch, [['sourceId'], 'far-inner']),
    /river-watch\.json\.sourceId: The archive has no source/,
  ],
  [
    'an observer whose condition is none',
    set(watch, [['condition', 'aggregation'], { function: 'pg_sleep', arguments: [9] }]),
    /river-watch\.json\.condition/,
  ],
  [
    'a metadata field with HTML in its title',
    set('fields.json', [['fields', 0, 'title'], '<img src=x onerror=alert(1)>']),
    /fields\.json\.fields\.0\.title/,
  ],
  [
    'a metadata field of a kind that there is not',
    set('fields.json', [['fields', 0, 'kind'], 'script']),
    /fields\.json\.fields\.0\.kind/,
  ],
  ['a metadata field twice', set('fields.json', [['fields', 1, 'key'], 'method']), /fields\.json\.fields/],
  [
    'a folder in one of others',
    set('folders.json', [[0, 'parentId'], 'far-photos']),
    /folders\.json\.0\.parentId: The archive has no folder/,
  ],
  [
    'a folder whose name is a path',
    set('folders.json', [[0, 'name'], '../secret']),
    /folders\.json\.0\.name/,
  ],
  [
    'a boundary set of others',
    set(type, [['schema', 'quarter', 'regionOf'], { point: 'where', boundarySetId: 'wards', value: 'name' }]),
    /types\/river-stop\.json\.schema\.quarter/,
  ],
  [
    'a record that does not fit',
    add('records/river-stops.ndjson', '{"id":"a"}\n{"id":"b","people":"many"}'),
    /river-stops\.ndjson\.2\.people/,
  ],
  ['a record twice', add('records/river-stops.ndjson', '{"id":"a"}\n{"id":"a"}'), /It has a record twice/],
  [
    'records of a source that is not in it',
    add('records/far-inner.ndjson', '{"type":"x"}'),
    /far-inner\.ndjson: The archive has no source/,
  ],
  [
    'an insight that asks a source of others',
    set(insight, [['sourceId'], 'far-inner']),
    /sourceId: The archive has no source with the id far-inner/,
  ],
  [
    'an insight that joins a type of others',
    set(insight, [['query', 'joins'], [{ alias: 'l', dataTypeId: 'lamp', on: [] }]]),
    /query\.joins\.0\.dataTypeId: The archive has no data type/,
  ],
  [
    'a question that is none',
    set(insight, [['query', 'groupings'], [{ field: 'nothing' }]]),
    /stops-by-quarter\.json\.query\.groupings/,
  ],
  [
    'a page that shows an insight of others',
    set(story, [['contents', 1, 'settings', 'insightId'], 'far-calls']),
    /contents\.1\.settings\.insightId: The archive has no insight/,
  ],
  ['a block that there is not', set(story, [['contents', 0, 'kind'], 'script']), /contents\.0\.kind/],
  [
    'an address that is a script',
    set(story, [['contents', 2, 'settings', 'url'], 'javascript:alert(1)']),
    /contents\.2\.settings\.url/,
  ],
  [
    'a collection of an insight of others',
    set('collections/river-best.json', [['insights', 0, 'id'], 'far-calls']),
    /insights\.0\.id: The archive has no insight/,
  ],
  [
    'media that is a web page',
    (files) => withMedia(files, '<html><script>alert(1)</script></html>', 'text/html'),
    /^media\//,
  ],
  [
    'a drawing that acts',
    (files) =>
      withMedia(
        files,
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        'image/svg+xml',
      ),
    /^media\/.*scripts/,
  ],
  [
    'media in a folder that is not in it',
    (files) => set(`media/${mediaId(files)}.json`, [['folderId'], 'far-photos'])(files),
    /folderId: The archive has no folder/,
  ],
  [
    'areas that are none',
    add('boundarySets/river-zones.geojson', '{"type":"FeatureCollection","features":[]}'),
    /boundarySets\/river-zones\.json.*no area/,
  ],
  [
    'fewer areas than it says',
    set('boundarySets/river-zones.json', [['areaCount'], 3]),
    /river-zones\.json\.areaCount: It has 2 areas/,
  ],
  [
    'a set that is a part of one of others',
    set('boundarySets/river-zones.json', [['parentId'], 'wards']),
    /river-zones\.json\.parentId: The archive has no boundary set/,
  ],
  [
    'a set of another place',
    set('boundarySets/river-zones.json', [['placeId'], 'oakton']),
    /placeId: It is of another organization/,
  ],
  [
    'areas of a set that is not in it',
    add('boundarySets/more.geojson', '{}'),
    /more\.geojson: The archive has no boundary set/,
  ],
  [
    'a translation of what is not in it',
    addTranslation({ noun: 'insight', nounId: 'far-calls', path: 'name' }),
    /translations\.ndjson\.1\.nounId: The archive has no insight/,
  ],
  [
    'a translation of no text',
    addTranslation({ path: 'author.0' }),
    /translations\.ndjson\.1: .*no text “author\.0”/,
  ],
  ['HTML in a title', addTranslation({ text: '<b>x</b>' }), /translations\.ndjson\.1: Must be without HTML/],
  [
    'a translation into a language that the hub has not',
    addTranslation({ language: 'de' }),
    /translations\.ndjson.*: The hub has no pages in this language/,
  ],
  ['a translation by someone', addTranslation({ updatedBy: 'super' }), /ndjson\.1\.updatedBy: Unknown field/],
  [
    'a translation twice',
    (files) => {
      const { 'translations.ndjson': lines } = addTranslation({})(files) as Files
      return { ...files, 'translations.ndjson': text(`${new TextDecoder().decode(lines)}\n`.repeat(2)) }
    },
    /translations\.ndjson\.2: It is of the same text/,
  ],
  [
    'a place that is another',
    set('place.json', [['id'], 'oakton']),
    /place\.json\.id: It is another organization/,
  ],
  [
    'a theme that is a script',
    set('place.json', [['theme', 'logoImage'], 'javascript:alert(1)']),
    /place\.json\.theme\.logoImage/,
  ],
]
/** A zip in whose directory one name is replaced. */
const patched = (files: Files, from: string, to: string): Promise<File> => {
  const bytes = pack(files).arrayBuffer()
  return bytes.then((buffer) => {
    const all = Buffer.from(buffer).toString('latin1').replaceAll(from, to)
    return new File([Buffer.from(all, 'latin1')], 'archive.zip')
  })
}
const cut = (file: File) => new File([file.slice(0, file.size - 40)], 'archive.zip')
const flipped = (bytes: Uint8Array<ArrayBuffer> = new Uint8Array()) =>
  bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte))
const withMedia = (files: Files, content: string, declared: string): Files => {
  const bytes = text(content)
  const name = `media/${mediaId(files)}`
  const values: [string[], unknown][] = [
    [['size'], bytes.length],
    [['type'], declared],
    [['name'], 'a.svg'],
  ]
  return { ...(set(`${name}.json`, ...values)(files) as Files), [name]: bytes }
}
