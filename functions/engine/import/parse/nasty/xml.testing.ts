import { toBytes } from '../reading.testing.ts'
import { buildZip } from '../files.testing.ts'
import type { FaultyCase } from './case.testing.ts'

const items = { selector: 'r.i.*' }
const kml = (inner: string, root = '<kml xmlns="http://www.opengis.net/kml/2.2">') =>
  `<?xml version="1.0"?>${root}<Document>${inner}</Document></kml>`
const place = (coordinates: string, more = '') =>
  `<Placemark>${more}<Point><coordinates>${coordinates}</coordinates></Point></Placemark>`
const buildPointFeature = (coordinates: number[], properties: object = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates },
})
const lol = `<!DOCTYPE r [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]>`

/** XML, HTML, KML and GPX: entities, namespaces, unclosed tags, invalid positions. */
export const xmlCases: FaultyCase[] = [
  { is: 'no bytes', parser: 'xml', source: '', good: [], refusal: /empty/ },
  {
    is: 'a web page',
    parser: 'xml',
    source: '<!doctype html><html>',
    good: [],
    refusal: /web page, not XML/,
  },
  { is: 'JSON', parser: 'xml', source: '{"a":1}', good: [], refusal: /not XML/ },
  {
    is: 'a file named as an entity',
    parser: 'xml',
    options: items,
    source: '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r><i><a>1</a></i><i><a>&x;</a></i></r>',
    good: [{ a: '1' }],
    faults: [{ row: 2, field: null, says: /entity/ }],
  },
  {
    is: 'a billion laughs',
    parser: 'xml',
    options: items,
    source: `${lol}<r><i>&j;</i><i>ok</i></r>`,
    good: ['ok'],
    faults: [{ row: 1, field: null, says: /entity/ }],
  },
  {
    is: 'entities that there are',
    parser: 'xml',
    options: items,
    source: '<r><i>&lt;&amp;&#233;&#x1F30D;</i></r>',
    good: ['<&é🌍'],
  },
  {
    is: 'a tag left open',
    parser: 'xml',
    options: items,
    source: '<r><i>1</i><i><b></i><i>3</i></r>',
    good: ['1', '3'],
    faults: [{ row: 2, field: null, says: /close tag/ }],
  },
  {
    is: 'cut off',
    parser: 'xml',
    options: items,
    source: '<r><i>1</i><i>2',
    good: ['1'],
    refusal: /unclosed|ends before/,
  },
  {
    is: 'an & that is none, strictly',
    parser: 'xml',
    options: { ...items, strict: true },
    source: '<r><i>1</i><i>a & b</i><i>3</i></r>',
    good: ['1'],
    refusal: /well-formed/,
  },
  {
    is: 'an & that is none',
    parser: 'xml',
    options: items,
    source: '<r><i>1</i>\n<i>a & b</i>\n<i>3</i></r>',
    good: ['1', '3'],
    faults: [{ row: 2, field: null, line: 2 }],
  },
  {
    is: 'an encoding declared',
    parser: 'xml',
    options: items,
    source: toBytes('<?xml version="1.0" encoding="ISO-8859-1"?><r><i>\xe9</i></r>'),
    good: ['é'],
  },
  {
    is: 'a list of one',
    parser: 'xml',
    options: items,
    source: '<r><i n="1"><a>x</a></i></r>',
    good: [{ $: { n: '1' }, a: 'x' }],
  },
  {
    is: 'a depth of 200',
    parser: 'xml',
    source: `<r>${'<a>'.repeat(200)}`,
    good: [],
    refusal: /deeper than 100/,
  },
  {
    is: 'tags of HTML left open',
    parser: 'html',
    options: { selector: 'table.tr.*' },
    source: '<table><tr><td>1<td>2<tr><td>3</table>',
    good: [{ td: ['1', '2'] }, { td: '3' }],
  },
  {
    is: 'a path that a document does not have',
    parser: 'xml',
    options: { selector: 'r.rows.row' },
    source: '<r><items><item>1</item><item>2</item></items></r>',
    good: [],
    refusal: /finds nothing in the document\. It has elements at “r\.items\.item” \(2\)\.$/,
  },
  {
    is: 'nothing in a page',
    parser: 'html',
    options: { selector: 'html.body.table' },
    source: '<html><body></body></html>',
    good: [],
    notice: /finds nothing/,
  },
  {
    is: 'KML under a prefix, with positions of all sorts',
    parser: 'kml',
    source:
      `<k:kml xmlns:k="http://www.opengis.net/kml/2.2">${place('1,2,3').replace(/<(\/?)/g, '<$1k:')}${place('200000,5000000').replace(/<(\/?)/g, '<$1k:')}</k:kml>`.replace(
        /k:k:/g,
        'k:',
      ),
    good: [buildPointFeature([1, 2, 3])],
    faults: [{ row: 2, field: 'geometry', says: /degrees/ }],
  },
  {
    is: 'KML without a namespace and with blanks in positions',
    parser: 'kml',
    source: kml(place(' 1, 2 ') + place('1;2') + place('') + place('3,4', '<name>x</name>'), '<kml>'),
    good: [buildPointFeature([1, 2]), buildPointFeature([3, 4], { name: 'x' })],
    faults: [
      { row: 2, field: 'geometry', says: /not a position/ },
      { row: 3, field: 'geometry', says: /0 positions/ },
    ],
  },
  {
    is: 'KML with a number that is none',
    parser: 'kml',
    source: kml(
      '<Schema id="s"><SimpleField name="n" type="int"/></Schema><Placemark><ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="n">x7</SimpleData></SchemaData></ExtendedData></Placemark>',
    ),
    good: [],
    faults: [{ row: 1, field: 'n', says: /type int/ }],
  },
  {
    is: 'KML cut off',
    parser: 'kml',
    source: kml(place('1,2') + place('3,4')).slice(0, -60),
    good: [buildPointFeature([1, 2])],
    refusal: /unclosed|ends before/,
  },
  {
    is: 'KML that is other XML',
    parser: 'kml',
    source: '<rss><channel/></rss>',
    good: [],
    refusal: /root is "rss"/,
  },
  {
    is: 'KMZ with files of the system',
    parser: 'kmz',
    source: buildZip({ '__MACOSX/._a.kml': 'x', '../../a.kml': kml(place('1,2')) }),
    good: [buildPointFeature([1, 2])],
  },
  {
    is: 'KMZ without KML',
    parser: 'kmz',
    source: buildZip({ 'a.txt': 'x' }),
    good: [],
    refusal: /no \.kml file: it has a.txt/,
  },
  {
    is: 'an archive of KML, one of them other XML',
    parser: 'kml',
    options: { zip: true },
    source: buildZip({ 'a.kml': kml(place('1,2')), 'b.kml': '<rss><channel/></rss>' }),
    good: [buildPointFeature([1, 2])],
    refusal: /^b\.kml: .*root is "rss"/,
  },
  {
    is: 'an archive of GPX without a point',
    parser: 'gpx',
    options: { zip: true },
    source: buildZip({ 'a.gpx': '<gpx/>', 'b.txt': 'x' }),
    good: [],
    notice: /^a\.gpx: .*no points/m,
  },
  {
    is: 'GPX with a point without a place',
    parser: 'gpx',
    source: '<gpx><trk><trkseg>\n<trkpt lat="1" lon="2"/>\n<trkpt lat="" lon="2"/></trkseg></trk></gpx>',
    good: [],
    faults: [{ row: 1, field: 'geometry', says: /line 3/ }],
  },
  {
    is: 'GPX cut off',
    parser: 'gpx',
    source: '<gpx><trk><trkseg><trkpt lat="1" lon="2"/>',
    good: [],
    refusal: /unclosed|ends before/,
  },
  { is: 'GPX without points', parser: 'gpx', source: '<gpx/>', good: [], notice: /no points/ },
]
