/** Codes of the Olympic committee, FIFA and broadcasters that differ from ISO 3166-1 alpha-3. */
const DIFFERENT =
  'ALG:DZA ANG:AGO ANT:ATG ARU:ABW BAH:BHS BAN:BGD BAR:BRB BER:BMU BHU:BTN BIZ:BLZ BOT:BWA BRU:BRN BUL:BGR BUR:BFA ' +
  'CAM:KHM CAY:CYM CGO:COG CHA:TCD CHI:CHL CRC:CRI CRO:HRV DEN:DNK ENG:GBR ESA:SLV FIJ:FJI GAM:GMB GBS:GNB GEQ:GNQ ' +
  'GER:DEU GRE:GRC GRN:GRD GUA:GTM GUI:GIN HAI:HTI HON:HND INA:IDN IRI:IRN ISV:VIR IVB:VGB KOS:XKX KSA:SAU KUW:KWT ' +
  'LAT:LVA LBA:LBY LES:LSO LIB:LBN MAD:MDG MAS:MYS MAW:MWI MGL:MNG MON:MCO MRI:MUS MTN:MRT MYA:MMR NCA:NIC NED:NLD ' +
  'NEP:NPL NGR:NGA NIG:NER NIR:GBR OMA:OMN PAR:PRY PHI:PHL PLE:PSE POR:PRT PUR:PRI ROM:ROU RSA:ZAF SAM:WSM SCO:GBR ' +
  'SER:SRB SEY:SYC SIN:SGP SLO:SVN SOL:SLB SRI:LKA SUD:SDN SUI:CHE TAN:TZA TOG:TGO TPE:TWN TRI:TTO UAE:ARE URU:URY ' +
  'VIE:VNM VIN:VCT WAL:GBR ZAM:ZMB ZIM:ZWE';
const iso = new Map(DIFFERENT.split(' ').map((pair) => pair.split(':') as [string, string]));

/** ISO 3166-1 alpha-3 of a three-letter sports country code; undefined for other texts. */
export function isoCountry(code: string | undefined): string | undefined {
  const upper = code?.toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(upper) ? (iso.get(upper) ?? upper) : undefined;
}
