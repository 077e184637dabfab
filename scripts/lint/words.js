/**
 * An oxlint plugin for the project's conventions of style and naming. Its rules match the syntax tree by
 * esquery selectors; `.oxlintrc.json` sets the files of each rule.
 */

/**
 * Names that say that something was done instead of what it is: a variable is named after its content, a
 * function after what it does.
 */
const participles =
  'asked|found|gathered|given|gone|raised|remembered|said|sealed|shelves|standing|tell|told|flights|letter|linesOf'
/**
 * Participles, adverbs and verbs that are not allowed as the whole name of a type: outside of its file nobody can tell
 * what such a type holds.
 */
const riddles = [
  'About|Acted|Again|Allowed|Along|Announced|Answered|Around|Arranged|Asked|Asking|At|Before|Begin|Behind',
  'Beside|Captured|Charted|Checked|Checking|Chosen|Claimed|Closed|Collected|Compared|Compiled|Confirmed',
  'Conserved|Copying|Counted|Dated|Declared|Described|Done|Drafting|Drawn|Due|Embedded|Encoded|Expected',
  'Failed|Fetched|Fetching|Filled|Found|Framed|From|Fuzzed|Given|Going|Good|Guarded|Held|Hidden|How',
  'Identified|Ill|In|Inferred|Ingested|Inspected|Into|Joined|Judged|Keeping|Kept|Known|Laid|Last|Late|Later',
  'Left|Lifted|Listed|Loaded|Looked|Looking|Lost|Made|Make|Making|Matched|Meant|Measured|Missing|Most|Named',
  'Naming|Now|Of|Older|Opened|Otherwise|Out|Outside|Over|Overgrown|Pending|Pictured|Placed|Plain|Planned',
  'Planted|Prepared|Promised|Publishing|Put|Raw|Reached|Received|Recorded|Referred|Refused|Rejected|Related',
  'Remembered|Removed|Renamed|Rendered|Resolved|Restoring|Ruled|Running|Said|Saving|Say|Scheduled|Seen|Sees',
  'Sending|Sent|Served|Serving|Sharing|Shown|Signed|Sliced|Some|Spending|Spoken|Staged|Standing|Started',
  'Stays|Stored|Strayed|Summed|Taken|Tended|There|Told|Translated|Tried|Two|Understood|Undone|Unknown',
  'Unread|Used|Verified|Waiting|Wanted|Watched|Weighed|Went|Where|Which|Who|Why|Withheld|Within|Wordless',
  'Writing|Written|Wrong',
].join('|')
const named = (selectors, names, instead) =>
  selectors.map((selector) => ({
    selector: `${selector}[name=/^(?:${names})$/]`,
    message: `A word of nobody else's: ${instead}`,
  }))
const namedValues = [
  'VariableDeclarator > Identifier.id',
  'FunctionDeclaration > Identifier.id',
  ':function > Identifier.params',
  'TSFunctionType > Identifier.params',
  'AssignmentPattern > Identifier.left',
  'ObjectPattern > Property > Identifier.value',
  'ArrayPattern > Identifier',
]

const refused = {
  /** SQL may only be built from bound values and looked-up names. */
  'unsafe-sql': [
    {
      selector: "MemberExpression[object.name='sql'][property.name=/^(raw|lit)$/]",
      message: 'Bind values; look names up.',
    },
  ],
  /** The dependencies of an answer are recorded in one way only. */
  'depends-by-hand': [
    "CallExpression[callee.property.name='add'][callee.object.property.name='depends']",
    "CallExpression[callee.property.name='basis'][callee.object.name='ctx']",
  ].map((selector) => ({ selector, message: 'Say it by dependsOn of functions/platform/cache.' })),
  /** The workspace formats dates and numbers in one way: dates in the reader's form, numbers like its words. */
  'formats-by-hand': [
    'CallExpression[callee.property.name=/^toLocale(?:Date|Time)?String$/]',
    "NewExpression[callee.object.name='Intl'][callee.property.name=/^(?:DateTime|Number)Format$/]",
    "CallExpression[callee.object.name='Intl'][callee.property.name=/^(?:DateTime|Number)Format$/]",
  ].map((selector) => ({
    selector,
    message: 'Use <Day>, <Moment>, dateFormat or formatNumber of app/components/list.',
  })),
  'private-words': [
    ...named(
      namedValues,
      participles,
      'say what it is (request, rows, value, text, deleted, email) or does (sendNotices, describeReject).',
    ),
    ...named(
      ['TSInterfaceDeclaration > Identifier.id', 'TSTypeAliasDeclaration > Identifier.id'],
      '\\w*(?:Asked|Told|Said|Ports)|(?:Asked|Found|Told|Said)(?:[A-Z]\\w*)?|Letter',
      'say what it is (ListRequest, SearchHit, TileServices).',
    ),
  ],
  /** Further names that are not allowed in the nouns, the shapes, the endpoints and the edge. */
  'words-of-nouns': named(
    namedValues,
    'cleaned|chosen|counted|drawn|emptied|filled|held|known|listed|looked|made|meant|mine|named|noted|ordered|placed|profiled|proved|put|queried|refused|requested|searched|seen|sent|served|shown|spoken|stored|taken|tried|wanted|watched|written',
    'say what it is (rejectedIds, locales, methods, position, cookie, storedAnswer, shownFields).',
  ),
  /** Further names that are not allowed in the screens. */
  'words-of-screens': named(
    namedValues,
    'called|cleaned|coloured|counted|dated|described|failed|got|held|known|looked|mapped|needed|noted|numbered|placed|pressed|put|searched|seen|served|spoken|taken|thrown|typed|written',
    'say what it is (knownZone, filledCount, valueText, fieldSchema) or does (replaceNode, formatNumber).',
  ),
  /** Properties of components are named after their content. */
  'words-of-properties': [
    {
      selector:
        'TSInterfaceDeclaration[id.name=/Props$/] TSPropertySignature > Identifier.key[name=/^(?:asked|chosen|drawn|found|given|gone|held|kept|known|looked|made|mine|named|offered|refused|said|told|wanted)$/]',
      message: "A word of nobody else's: say what it is (errors, view, choice, selectedId, newKey, outcome).",
    },
  ],
  /** Types are named by nouns, but the type of a schema like its schema: that name is in the API document. */
  'words-of-types': [
    'TSInterfaceDeclaration > Identifier.id',
    "TSTypeAliasDeclaration:not([typeAnnotation.typeName.right.name='InferOutput']) > Identifier.id",
  ].map((selector) => ({
    selector: `${selector}[name=/^(?:${riddles})$/]`,
    message: 'Not a noun: name the type after its content (ViewState, CheckReport, JoinResult, SentRequest).',
  })),
  /** Further names that are not allowed in the rooms below the nouns. */
  'words-of-lower-rooms': named(
    namedValues,
    'chosen|got|held|known|mine|named|placed|put|seen|sent|spoken|taken|wanted|written',
    'say what it is (choice, entry, knownKeys, ownRows, label, position, visibleRows, request, locales, usedNames, bounds).',
  ),
  /** In scripts some of these names are legitimate: flights of planes and letters of the alphabet. */
  'words-of-scripts': named(
    namedValues,
    'added|asked|begun|broken|built|called|changed|chosen|counted|emptied|found|gathered|given|gone|held|kept|known|looked|made|mine|named|needed|opened|raised|ran|refused|remembered|rendered|said|seen|sent|shown|spoken|taken|tell|timed|told|tried|typed|wanted|written',
    'say what it is (problems, requests, rejection, outcome, counts, storedPage) or does (readCardTitles, measureIsolate).',
  ),
}

const ruleOf = (refusals) => ({
  create: (context) =>
    Object.fromEntries(
      refusals.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
})

export default {
  meta: { name: 'house' },
  rules: Object.fromEntries(Object.entries(refused).map(([name, refusals]) => [name, ruleOf(refusals)])),
}
