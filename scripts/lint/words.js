/**
 * An oxlint plugin for the project's conventions of style and naming. Its rules match the syntax tree by
 * esquery selectors; `.oxlintrc.json` sets the files of each rule.
 */

/**
 * Names that say that something was done instead of what it is: a variable is named after its content, a
 * function after what it does.
 */
const participles = [
  'added|asked|began|begun|broken|built|called|changed|chosen|cleaned|coloured|counted|dated|described',
  'drawn|emptied|failed|filled|found|gathered|given|gone|got|held|kept|known|listed|looked|made|mapped',
  'meant|mine|named|needed|noted|numbered|offered|opened|ordered|placed|pressed|profiled|proved|put',
  'queried|ran|refused|remembered|rendered|requested|said|searched|seen|sent|served|shown|spoken|stored',
  'taken|tell|thrown|timed|told|tried|turned|typed|wanted|watched|written',
].join('|')
/**
 * Words that the glossary replaces (single flight, email, tier, fallback, encrypted, version). Scripts are free of this list:
 * there are flights of planes and letters of the alphabet.
 */
const replaced = 'flights|letter|raised|sealed|shelves|standing'
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
/** Prepositions, participles and other words that say nothing of what a function does. */
const notVerbs = [
  'above|after|again|all|around|at|away|bare|before|beside|between|both|changed|chosen|closed|counted|covered',
  'drawn|each|every|failing|filled|first|found|given|gone|held|hidden|in|joined|kept|known|last|later|left',
  'listed|made|many|marked|meant|middle|more|most|moved|named|nearest|needed|newest|next|no|not|of|offered',
  'oldest|once|one|only|opened|other|others|out|over|own|painted|parsed|placed|plain|planned|prepared|printed',
  'published|reached|recorded|refused|renamed|replaced|said|same|saved|searched|seen|sent|served|shared',
  'shortened|shown|signed|some|sorted|started|still|stored|taken|that|told|too|tried|turned|twice|two|typed',
  'unknown|unread|until|used|waiting|what|when|who|whole|why|within|written',
].join('|')
/** Verbs that do not say what a function does: "take" reads, accepts, stores or counts, "keep" stores or filters. */
const vagueVerbs =
  '(?:bring|judge|keep|look(?!Ahead$|Up$)|note|say|tell|tend|weigh)(?:[A-Z]\\w*)?|take(?!Turns$)[A-Z]\\w*'
const namedFunctions = [
  'FunctionDeclaration > Identifier.id',
  'VariableDeclarator[init.type=/Function/] > Identifier.id',
]
/** Methods, members and parameters that are functions. */
const functionMembers = [
  'MethodDefinition > :matches(Identifier, PrivateIdentifier).key',
  'Property[value.type=/Function/] > Identifier.key',
  'TSMethodSignature > Identifier.key',
  'TSPropertySignature[typeAnnotation.typeAnnotation.type=TSFunctionType] > Identifier.key',
  ':function > Identifier.params[typeAnnotation.typeAnnotation.type=TSFunctionType]',
]
const named = (selectors, names, instead) =>
  selectors.map((selector) => ({
    selector: `${selector}[name=/^(?:${names})$/]`,
    message: `A word of nobody else's (listed in scripts/lint/words.js): ${instead}`,
  }))
const namedValues = [
  'VariableDeclarator > Identifier.id',
  'FunctionDeclaration > Identifier.id',
  ':function > Identifier.params',
  'TSFunctionType > Identifier.params',
  'AssignmentPattern > Identifier.left',
  'ObjectPattern > Property > Identifier.value',
  'ArrayPattern > Identifier',
  'RestElement > Identifier.argument',
  'PropertyDefinition > Identifier.key',
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
      `${participles}|of[A-Z]\\w*`,
      'say what it is (request, rows, value, storedRows, startedAt) or does (callAsRole, describeReject).',
    ),
    ...named(
      ['TSInterfaceDeclaration > Identifier.id', 'TSTypeAliasDeclaration > Identifier.id'],
      '\\w*(?:Asked|Told|Said|Ports)|(?:Asked|Found|Told|Said)(?:[A-Z]\\w*)?|Letter',
      'say what it is (ListRequest, SearchHit, TileServices).',
    ),
  ],
  /** Functions are verbs: `getName(field)`, not `nameOf(field)`; `listVisible`, not `shownIn`. */
  'functions-are-verbs': [
    ...[...namedFunctions, ...functionMembers].map((selector) => `${selector}[name=/[a-z0-9]Of$/]`),
    ...[...namedFunctions, ...functionMembers].map((selector) => `${selector}[name=/^(?:${vagueVerbs})$/]`),
    ...namedFunctions.map((selector) => `${selector}[name=/^(?:${notVerbs})(?:[A-Z]\\w*)?$/]`),
  ].map((selector) => ({
    selector,
    message: 'Say what it does: getX, toX, findX, listX, storeX, recordX, describeX, isX, waitForX.',
  })),
  'replaced-words': named(
    namedValues,
    replaced,
    'see GLOSSARY.md (singleFlight, email, fallback, encrypted).',
  ),
  /** Properties of components are named after their content. */
  'words-of-properties': [
    {
      selector: `TSInterfaceDeclaration[id.name=/Props$/] TSPropertySignature > Identifier.key[name=/^(?:${participles})$/]`,
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
}

const toRule = (refusals) => ({
  create: (context) =>
    Object.fromEntries(
      refusals.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
})

export default {
  meta: { name: 'house' },
  rules: Object.fromEntries(Object.entries(refused).map(([name, refusals]) => [name, toRule(refusals)])),
}
