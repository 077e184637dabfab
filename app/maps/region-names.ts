// What regions are called besides the name and the code that their boundaries have.

/** Countries of the atlas by ISO 3166-1: number, two letters, three letters. */
const countries = (
  '004AFAFG 008ALALB 010AQATA 012DZDZA 016ASASM 020ADAND 024AOAGO 028AGATG 031AZAZE 032ARARG 036AUAUS ' +
  '040ATAUT 044BSBHS 048BHBHR 050BDBGD 051AMARM 052BBBRB 056BEBEL 060BMBMU 064BTBTN 068BOBOL 070BABIH ' +
  '072BWBWA 076BRBRA 084BZBLZ 086IOIOT 090SBSLB 092VGVGB 096BNBRN 100BGBGR 104MMMMR 108BIBDI 112BYBLR ' +
  '116KHKHM 120CMCMR 124CACAN 132CVCPV 136KYCYM 140CFCAF 144LKLKA 148TDTCD 152CLCHL 156CNCHN 158TWTWN ' +
  '170COCOL 174KMCOM 178CGCOG 180CDCOD 184CKCOK 188CRCRI 191HRHRV 192CUCUB 196CYCYP 203CZCZE 204BJBEN ' +
  '208DKDNK 212DMDMA 214DODOM 218ECECU 222SVSLV 226GQGNQ 231ETETH 232ERERI 233EEEST 234FOFRO 238FKFLK ' +
  '239GSSGS 242FJFJI 246FIFIN 248AXALA 250FRFRA 258PFPYF 260TFATF 262DJDJI 266GAGAB 268GEGEO 270GMGMB ' +
  '275PSPSE 276DEDEU 288GHGHA 296KIKIR 300GRGRC 304GLGRL 308GDGRD 316GUGUM 320GTGTM 324GNGIN 328GYGUY ' +
  '332HTHTI 334HMHMD 336VAVAT 340HNHND 344HKHKG 348HUHUN 352ISISL 356ININD 360IDIDN 364IRIRN 368IQIRQ ' +
  '372IEIRL 376ILISR 380ITITA 384CICIV 388JMJAM 392JPJPN 398KZKAZ 400JOJOR 404KEKEN 408KPPRK 410KRKOR ' +
  '414KWKWT 417KGKGZ 418LALAO 422LBLBN 426LSLSO 428LVLVA 430LRLBR 434LYLBY 438LILIE 440LTLTU 442LULUX ' +
  '446MOMAC 450MGMDG 454MWMWI 458MYMYS 462MVMDV 466MLMLI 470MTMLT 478MRMRT 480MUMUS 484MXMEX 492MCMCO ' +
  '496MNMNG 498MDMDA 499MEMNE 500MSMSR 504MAMAR 508MZMOZ 512OMOMN 516NANAM 520NRNRU 524NPNPL 528NLNLD ' +
  '531CWCUW 533AWABW 534SXSXM 540NCNCL 548VUVUT 554NZNZL 558NINIC 562NENER 566NGNGA 570NUNIU 574NFNFK ' +
  '578NONOR 580MPMNP 583FMFSM 584MHMHL 585PWPLW 586PKPAK 591PAPAN 598PGPNG 600PYPRY 604PEPER 608PHPHL ' +
  '612PNPCN 616PLPOL 620PTPRT 624GWGNB 626TLTLS 630PRPRI 634QAQAT 642ROROU 643RURUS 646RWRWA 652BLBLM ' +
  '654SHSHN 659KNKNA 660AIAIA 662LCLCA 663MFMAF 666PMSPM 670VCVCT 674SMSMR 678STSTP 682SASAU 686SNSEN ' +
  '688RSSRB 690SCSYC 694SLSLE 702SGSGP 703SKSVK 704VNVNM 705SISVN 706SOSOM 710ZAZAF 716ZWZWE 724ESESP ' +
  '728SSSSD 729SDSDN 732EHESH 740SRSUR 748SZSWZ 752SESWE 756CHCHE 760SYSYR 762TJTJK 764THTHA 768TGTGO ' +
  '776TOTON 780TTTTO 784AEARE 788TNTUN 792TRTUR 795TMTKM 796TCTCA 800UGUGA 804UAUKR 807MKMKD 818EGEGY ' +
  '826GBGBR 831GGGGY 832JEJEY 833IMIMN 834TZTZA 840USUSA 850VIVIR 854BFBFA 858UYURY 860UZUZB 862VEVEN ' +
  '876WFWLF 882WSWSM 887YEYEM 894ZMZMB'
).split(' ')

/** The atlas has no number for it; the letters are those in use. */
const kosovo = ['kosovo', 'XK', 'XKX'] as const

/** States, their district and their territories: the number of FIPS 5-2 and the two letters of the post. */
const states = (
  '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI 27MN ' +
  '28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT 51VA 53WA ' +
  '54WV 55WI 56WY 60AS 66GU 69MP 72PR 78VI'
).split(' ')

/** Spellings that data sets have and the platform has not, by two letters; of the World Bank and the United Nations mostly. */
const spellings: Record<string, readonly string[]> = {
  BA: ['Bosnia-Herzegovina'],
  BN: ['Brunei Darussalam'],
  BO: ['Bolivia (Plurinational State of)'],
  BS: ['Bahamas, The'],
  CD: [
    ...['Democratic Republic of the Congo', 'Congo, Dem. Rep.', 'Congo, Democratic Republic of the'],
    ...['DR Congo', 'DRC'],
  ],
  CG: ['Republic of the Congo', 'Congo, Rep.', 'Congo, Republic of the'],
  CI: ["Cote d'Ivoire", 'Ivory Coast'],
  CV: ['Cape Verde', 'Cabo Verde'],
  CZ: ['Czech Republic', 'Czechia'],
  EG: ['Egypt, Arab Rep.'],
  FK: ['Falkland Islands (Malvinas)'],
  FM: ['Micronesia, Fed. Sts.', 'Micronesia (Federated States of)'],
  GB: ['UK', 'U.K.', 'Great Britain', 'United Kingdom of Great Britain and Northern Ireland'],
  GM: ['Gambia, The'],
  HK: ['Hong Kong', 'Hong Kong SAR, China'],
  IR: ['Iran, Islamic Rep.', 'Iran (Islamic Republic of)', 'Iran, Islamic Republic of'],
  KG: ['Kyrgyz Republic'],
  KN: ['Saint Kitts and Nevis', 'St. Kitts and Nevis'],
  KP: [
    ...["Korea, Dem. People's Rep.", "Democratic People's Republic of Korea"],
    ...["Korea, Democratic People's Republic of", 'Korea, North'],
  ],
  KR: ['Korea, Rep.', 'Republic of Korea', 'Korea, Republic of', 'Korea, South'],
  LA: ['Lao PDR', "Lao People's Democratic Republic"],
  MD: ['Republic of Moldova', 'Moldova, Republic of'],
  MK: ['Macedonia', 'North Macedonia', 'The former Yugoslav Republic of Macedonia'],
  MM: ['Burma', 'Myanmar'],
  MO: ['Macau', 'Macao SAR, China'],
  PS: ['Palestine', 'State of Palestine', 'Palestine, State of', 'West Bank and Gaza'],
  RU: ['Russian Federation'],
  SK: ['Slovak Republic'],
  ST: ['Sao Tome and Principe'],
  SY: ['Syrian Arab Republic'],
  SZ: ['Swaziland', 'Eswatini'],
  TL: ['East Timor', 'Timor-Leste'],
  TR: ['Turkey', 'Türkiye'],
  TW: ['Taiwan, Province of China'],
  TZ: ['United Republic of Tanzania', 'Tanzania, United Republic of'],
  US: ['USA', 'U.S.A.', 'U.S.', 'United States', 'United States of America'],
  VA: ['Holy See', 'Vatican City'],
  VE: ['Venezuela, RB', 'Venezuela (Bolivarian Republic of)'],
  VN: ['Viet Nam'],
  YE: ['Yemen, Rep.'],
}

const stateSpellings: Record<string, readonly string[]> = {
  DC: ['Washington, D.C.', 'Washington DC', 'D.C.'],
  MP: ['Commonwealth of the Northern Mariana Islands'],
  VI: ['US Virgin Islands', 'Virgin Islands', 'United States Virgin Islands'],
}

/** The languages in which names of countries are known: those of hubs. */
const languages = ['en', 'es', 'fr', 'ar'] as const

let known: Map<string, readonly string[]> | undefined

/**
 * What a region is called by others, by its `gid`: a state its postal code; a country its codes of two and three letters, its
 * names in the languages of hubs and usual spellings. None for other regions.
 */
export function otherNames(gid: string): readonly string[] {
  return (known ??= collect()).get(gid) ?? []
}

function collect(): Map<string, readonly string[]> {
  const speakers = languages.map((language) => new Intl.DisplayNames([language], { type: 'region' }))
  const namesOf = (two: string) => speakers.map((speaker) => speaker.of(two) ?? two)
  const numbered = countries.map((each) => [each.slice(0, 3), each.slice(3, 5), each.slice(5)] as const)
  return new Map([
    ...states.map((each): [string, readonly string[]] => {
      const letters = each.slice(2)
      return [`us-state-${each.slice(0, 2)}`, [letters, ...(stateSpellings[letters] ?? [])]]
    }),
    ...[...numbered, kosovo].map(([code, two, three]): [string, readonly string[]] => [
      `country-${code}`,
      [two, three, ...namesOf(two), ...(spellings[two] ?? [])],
    ]),
  ])
}
