/** Given names and their common short forms, folded. A short form may belong to several names. */
const SHORT_FORMS = `
abigail: abby gail
abraham: abe bram
albert: al bert bertie
alejandro: alex ale jandro
alessandro: alex sandro
alexander: alex al alec sandy xander sascha zander lex
alexandra: alex sandra sasha lexi
alexandre: alex
alexei: alex
alexis: alex lexi
alfred: al alf alfie fred
alfredo: fredo
allan: al
allen: al
alonzo: lonnie zo
alvin: al
amanda: mandy
anastasia: nastya stacy ana
andreas: andy
andrei: andy
andrew: andy drew
angela: angie
anthony: tony ant
antonio: tony toni
archibald: archie
arnold: arnie
arthur: art artie
augustus: gus
barbara: barb babs
barnaby: barney
bartholomew: bart
beatrice: bea
benedict: ben
benjamin: ben benny benji
bernard: bernie
bradford: brad
bradley: brad
calvin: cal
cameron: cam
carlton: carl
caroline: carrie
cassandra: cassie
catherine: cathy cat kate
cedric: ced
charles: charlie chuck chas
charlotte: charlie lottie
chester: chet
christian: chris
christina: chris chrissy tina
christine: chris chrissy tina
christopher: chris topher kit
clayton: clay
clifford: cliff
clifton: cliff
clinton: clint
cynthia: cindy
daniel: dan danny
daniela: dani
danielle: dani
daria: dasha
david: dave davey
deandre: dre
deborah: deb debbie
dennis: denny
desmond: des dez
dimitri: dima mitya
dmitri: dima
dominic: dom nick
dominique: dom
donald: don donnie
donovan: don
dorothy: dot
douglas: doug
dustin: dusty
edgar: ed
edmund: ed eddie ned
eduardo: edu eddie
edward: ed eddie ted teddy ned
edwin: ed eddie
ekaterina: katya
elena: lena
elijah: eli
elizabeth: liz beth lizzie betsy eliza
emanuel: manny
emmanuel: manny manu
enrique: quique
ernest: ernie
eugene: gene
evgeni: zhenya
ezekiel: zeke
federico: fede fed
ferdinand: ferdie
fernando: nando
florian: flo
frances: fran
francesco: franco cesco
francis: frank frankie
francisco: paco cisco fran pancho kiko
franklin: frank
frederick: fred freddie rick
frederik: fred freddie
gabriel: gabe gabi
gabriela: gabi gaby
geoffrey: geoff jeff
george: georgie
gerald: gerry jerry
gerard: gerry
giancarlo: gian
gianluigi: gigi
giovanni: gio vanni
gonzalo: gonzo
gordon: gordie
gregory: greg gregg
guillermo: memo willy
gustavo: gus tavo
harold: harry hal
harrison: harry
henry: hank harry
herbert: herb bert
herman: herm
howard: howie
ignacio: nacho
irving: irv
isaac: ike zac
isaiah: zay ike
ivan: vanya
jackson: jack
jacob: jake
jacqueline: jackie
james: jim jimmy jamie
jared: jay
jason: jay
javier: javi
jayden: jay
jeffery: jeff
jeffrey: jeff
jennifer: jen jenny
jeremiah: jerry
jerome: jerry
jessica: jess jessie
jesus: chuy
joanna: jo
joaquin: quino
johannes: hannes
john: johnny jack jon
johnathan: john johnny jon
jonathan: jon jonny johnny
jose: pepe
joseph: joe joey
joshua: josh
judith: judy
julian: jules
julio: jules
katherine: kate kathy katie kat
kathryn: kate kathy katie
kenneth: ken kenny
kevin: kev
kimberly: kim
kristina: kris
kristopher: kris
lawrence: larry lars
leandro: leo
leonard: len lenny leo
leonardo: leo
leopold: leo
leroy: roy
leslie: les
lester: les
lewis: lew
lincoln: linc
lionel: leo
louis: lou louie
lucas: luke luc
maksim: max
malcolm: mal
manuel: manny manu manolo
marcus: marc mark
margaret: maggie meg peggy marge
maria: mia masha
marshall: marsh
martin: marty
marvin: marv
mateo: teo
matteo: teo
matthew: matt matty
matthias: matt hias
maurice: mo
maxim: max
maximilian: max maxi
maximiliano: maxi max
maxwell: max
melvin: mel
michael: mike mikey mick mickey
michal: misha
mikhail: misha
miles: milo
mitchell: mitch
mohamed: mo
mohammed: mo
montgomery: monty
morris: mo
nathan: nate nat
nathaniel: nate nat nathan
nicholas: nick nicky nico
nicolas: nico nick
nikolai: kolya
norman: norm
octavio: tavo
oliver: ollie
oscar: ozzie
oswaldo: waldo
pamela: pam
patricia: pat patty tricia
patrick: pat paddy rick
paul: paulie
percival: percy
peter: pete
philip: phil
phillip: phil
rafael: rafa rafe
randall: randy
randolph: randy
raphael: rafa rafe
raymond: ray
rebecca: becky becca
reginald: reggie reg
ricardo: rick ricky
richard: rick ricky dick rich richie
robert: rob robbie bob bobby bert
roberto: rob beto
roderick: rod rick
rodney: rod
rodrigo: rodri
roland: rollie
ronald: ron ronnie
rosemary: rose
rudolph: rudy
russell: russ rusty
salvador: sal chava
salvatore: sal
samantha: sam
samson: sam
samuel: sam sammy
santiago: santi
sebastian: seb bas
sergei: serge
sergio: checo
sheldon: shel
sidney: sid
solomon: sol
stanley: stan
stephan: steve
stephanie: steph
stephen: steve stevie steph
steven: steve stevie
stuart: stu
susan: sue susie
svetlana: sveta
sylvester: sly
terence: terry
terrance: terry
terrence: terry
thaddeus: thad tad
theodore: ted teddy theo
theresa: terry tess
thomas: tom tommy
timothy: tim timmy
tobias: toby
trenton: trent
trevor: trev
tyler: ty
tyrone: ty
tyson: ty
valentin: val
valeria: lera
vernon: vern
victor: vic
victoria: vicky tori
vincent: vince vinny vin
vincenzo: enzo
vinicius: vini
virginia: ginny
vladimir: vlad vova
walter: walt wally
wesley: wes
wilfred: wilf
william: will bill billy willie willy liam
winston: win
yevgeny: zhenya
zachary: zach zack zac
zachariah: zach
zechariah: zech
`;

const others = new Map<string, Set<string>>();
for (const line of SHORT_FORMS.trim().split('\n')) {
  const [name, shorts] = line.split(': ') as [string, string];
  for (const short of shorts.split(' ')) {
    others.set(name, (others.get(name) ?? new Set()).add(short));
    others.set(short, (others.get(short) ?? new Set()).add(name));
  }
}

/**
 * The common short forms of a given name, and the names of which it is a short form; folded. Two short forms of the
 * same name do not match each other: not every Mike is a Mick.
 */
export const otherGivenNames = (given: string): readonly string[] => [...(others.get(given) ?? [])];
