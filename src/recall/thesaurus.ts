/** The thesaurus: words that people use for one another, everyday words beside technical ones. */

/**
 * One group a line. Whoever asks with one word of a group may mean any other of it; every inflection counts. A hyphen
 * joins the words of a phrase, which is recognised in questions only.
 */
export const THESAURUS = `
crash exception traceback panic abort segfault fatal
fail failure broken error fault failing unsuccessful
error exception mistake problem issue bug
bug defect issue regression problem flaw
problem trouble issue difficulty obstacle
wrong incorrect invalid mistaken bad inaccurate
right correct valid proper accurate
fix repair solve resolve patch correct remedy
workaround bypass fallback alternative hack
cause reason because root why due
delete remove rm drop erase discard unlink purge get-rid-of
clean cleanup tidy prune sweep
clear reset empty flush wipe
add insert append include introduce
create make generate new build produce
write author compose draft
change modify edit update alter adjust tweak
rename renamed mv retitle
move relocate transfer mv migrate
copy duplicate clone cp replicate
replace swap substitute exchange supersede
merge combine unify join consolidate
split separate divide break-up partition
rewrite refactor restructure rework reorganize
simplify reduce shorten streamline
extract pull isolate
duplicate repeated redundant twice dedupe copies
undo revert rollback restore back-out
restore recover recovery resurrect
save store persist keep write
keep retain preserve hold
remember memory memorize recall
forget forgot omit miss overlook left-out
missing absent lack lost gone
find locate search discover look-for spot
search query lookup grep find
look check inspect view examine see
check verify validate confirm ensure assert
test spec unittest check suite
tests testing coverage suite vitest jest pytest
review audit critique inspect feedback
investigate analyze diagnose explore dig debug examine
debug troubleshoot diagnose trace
measure benchmark profile metric
compare comparison diff versus difference contrast
difference diff delta change mismatch
same identical equal equivalent alike
similar alike related comparable
understand know learn figure-out grasp
explain describe clarify tell
say tell mention state claim report
ask request question query inquire
answer reply respond response
agree accept approve consent confirm
refuse reject deny decline forbid
allow permit enable let grant
forbid prohibit disallow ban prevent block
block prevent stop prohibit
must require need mandatory necessary
need want require wish
want wish desire prefer like
prefer favor rather choose
choose select pick decide option
decide decision conclude settle chose
suggest recommend propose advise advice
recommendation suggestion proposal advice
plan strategy approach roadmap
idea concept thought notion
goal aim purpose objective target intent
task job work todo ticket
todo checklist outstanding remaining pending
finish complete done end conclude
start begin launch initiate run boot
stop end halt terminate kill quit cease
run execute launch invoke start
call invoke invocation
restart reboot relaunch reload
install setup set-up configure add
setup configure configuration set-up initialize
config configuration settings options preferences
setting option parameter preference config
option flag switch parameter argument
argument parameter arg input
default fallback standard preset
variable env environment var
enable activate turn-on switch-on
disable deactivate turn-off switch-off
upgrade update bump newer
downgrade revert older
version release tag
release publish ship launch
deploy deployment rollout ship release
build compile bundle make
compile compiler build
bundle package pack archive
package module library dependency crate gem
dependency dependencies import require requirement package
library package module framework sdk
import require include load
repo repository codebase project
repository repo git
project codebase workspace repo
branch fork line
commit committed revision changeset sha
push upload publish
pull fetch download
pr pullrequest merge
conflict clash collision
history log past
log logging logs journal record
file document path
folder directory dir path
directory folder dir
path location route
location place where position spot
place spot location site
line row
column field
table grid spreadsheet
spreadsheet excel sheet xlsx workbook csv
document doc file page
docs documentation readme manual guide
readme documentation
comment note remark annotation
note remark memo comment
page screen view site
picture image photo png figure
image picture photo png jpg icon
chart graph plot diagram
diagram chart drawing figure
video clip movie
sound audio
text string words
string text
number count amount figure digit
count number total many tally
many number count several
total sum overall amount
average mean median
max maximum highest most largest top
min minimum lowest least smallest
limit cap bound maximum threshold
threshold limit cutoff
size length big large
big large huge great
small little tiny short minor
long lengthy length
short brief concise terse
slow slowness performance latency sluggish lag
fast quick speed rapid performance
speed performance fast throughput
performance latency throughput optimize
optimize improve speed tune
improve enhance better optimize
better improved superior
worse worst regression degrade
memory ram heap
disk storage space
space room capacity
timeout hang stuck wait
hang freeze stuck block deadlock
wait sleep delay pause
delay late lag postpone
race concurrency concurrent parallel
parallel concurrent simultaneously together
thread worker goroutine process
process pid program
program app application software
app application program
tool utility command
command cmd instruction
script program shell
shell bash terminal console
terminal console tty shell
output print stdout display
print output echo display
show display render print present
display show render appearance
hide hidden conceal invisible
visible shown appear
appear show occur
look appearance style design
style format formatting look
format layout style shape
color colour
theme style skin
font typeface
layout arrangement structure
structure layout architecture organization
architecture design structure
design architecture layout
interface ui api
ui frontend interface gui
button click
click press tap
menu dropdown list
list array items enumerate
array list
item entry element
entry record item row
object struct instance
struct type object
class type struct
type kind sort
kind type sort category
category group class
function method func procedure routine
method function
handler callback listener hook
hook callback trigger
event signal trigger
trigger cause fire
loop iterate cycle
condition if case
case situation scenario
edge corner
null nil none undefined empty
empty blank null
value values amount
key identifier
id identifier number
name title called
title heading name headline
label tag name
tag label
symbol sign
character letter
unicode encoding utf
encode encoding serialize
decode parse
parse parser parsing read
read reading load
load read open
open opened
close shut
server backend host service
backend server
client frontend caller
service server daemon
host machine server
machine computer host
computer laptop machine
network connection internet
connect connection link attach
connection link
disconnect drop
port
address url ip
url link address uri
link url hyperlink
website site web page
browser chrome
http request
request call
response reply answer
api endpoint interface
endpoint route url api
route path endpoint
database db sqlite postgres sql
db database
sql query
query sql
schema table structure
migration migrate
cache cached
cookie session
session login conversation
conversation chat session discussion transcript dialogue
chat conversation message
message mail text
transcript conversation log
prompt instruction
instruction directive rule guideline
rule policy regulation
policy rule terms
restriction limitation constraint
constraint limitation restriction
security secure vulnerability
vulnerability exploit injection
secret credential token password key
password credential passphrase
login signin log-in sign-in authenticate auth
authenticate authentication auth login
auth authentication authorization login
permission access right privilege
permission allowed denied
access reach permission
user customer person client
customer client passenger user
person people someone man
owner author
author writer creator
team group colleagues
member user
admin administrator root
agent assistant bot
assistant agent
model llm ai
human person agent
lint linter eslint golangci
linter lint formatter
formatter format prettier gofmt
warning warn caution
warn warning alert
alert notification warning
notify notification inform
inform tell notify
ignore skip disregard suppress
skip ignore omit bypass
exclude ignore omit filter
filter exclude select
sort order rank
order sequence sort
first initial beginning
last final latest
latest newest recent last
previous earlier before prior
next following subsequent
before prior previously earlier
after afterwards following later
now currently present
current present active
old outdated stale legacy obsolete
stale outdated obsolete old
new fresh recent
temporary temp tmp
permanent forever
always every constantly
never not
sometimes occasionally intermittent flaky
flaky intermittent unstable
random arbitrary
unique distinct
specific particular exact
exact precise
general generic common
common shared usual
usual normal regular typical
strange weird odd unexpected
unexpected surprising surprise
surprise surprising unexpected astonish
important critical key crucial
critical severe serious important
serious severe
severity priority
priority importance
safe secure
danger dangerous risk risky
risk danger
sure certain confident
doubt unsure uncertain
guess assume estimate
assume assumption suppose
estimate approximate guess
approximate roughly about
price cost fare amount charge
cost price expense fee charge
pay payment charge
payment pay credit card
charge fee bill
fee charge cost
refund reimburse money-back
refund compensation
compensation certificate voucher gift
certificate voucher
voucher certificate gift
gift present
discount reduction
cheap cheapest lowest inexpensive
expensive costly
money cash dollar usd funds
dollar usd
balance remaining
budget limit
buy purchase order
purchase buy bought
sell sale
book booking reserve reservation
booking reservation
reservation booking ticket
ticket reservation
cancel cancellation call-off
cancellation cancel
flight plane airline
plane flight aircraft
airline carrier flight
airport
trip travel journey itinerary vacation
travel trip fly
itinerary trip schedule
depart departure leave
leave depart
arrive arrival land
arrival arrive
nonstop direct stop
layover connection stopover stop
passenger traveler traveller
seat cabin
cabin class economy business
economy cabin basic
business cabin
upgrade cabin
bag baggage luggage suitcase
luggage baggage bag
insurance insured coverage protection
membership member gold silver status
loyalty membership member
date day
day date
time hour clock
hour time
minute minutes
week weekly
month monthly
year annual
today current
tomorrow next
yesterday ago
schedule calendar timetable
calendar schedule
deadline due
duration length
birthday dob birth
age old
phone number telephone
email mail address
mail email
city town
town city
country nation
country state
street address
weather forecast temperature
temperature degrees
rain weather
map location
distance far
restaurant food dining
food meal recipe
meal food
recipe ingredients cooking
hotel lodging accommodation
shop store
store shop
product item
stock share ticker
share stock
company firm business corporation
firm company
job position career
school university
student pupil
teacher professor
book novel
article paper post
paper article study publication
study research
research study paper
news article headline
movie film
film movie
song music
music song
game match
player
win won victory
lose lost
score result points
result outcome output
outcome result
summary overview recap
overview summary
recap summary
detail details specifics
information info details
info information details
data information
example sample instance
sample example
template boilerplate skeleton
pattern regex
regex pattern regexp
match matching
placeholder stub
stub mock fake
mock fake stub
fixture sample
random seed
feature functionality capability
capability ability feature
support handle
handle manage
manage handle
control manage
use utilize apply
apply use
avoid prevent
protect guard
guard check protect
lock mutex
queue backlog
stack traceback
token tokens
hash checksum sha
checksum hash
binary executable
executable binary
platform os
linux ubuntu
mac macos darwin
windows win
docker container
container docker
cloud aws
cluster kubernetes
ci pipeline workflow actions
pipeline workflow
workflow process
job task
cron schedule
background daemon
async asynchronous
sync synchronize
stream streaming
buffer
pipe stdin
input stdin
signal interrupt
interrupt cancel
exit quit
status state
state status
ready prepared
prepare preparation
done finished
success successful
pass passed
green passing
red failing
ok fine
good great
bad poor
happy glad
angry upset annoyed frustrated
frustrated annoyed
complain complaint
complaint complain
sorry apologize
thanks thank
help assist
give provide
provide give supply
send sent
receive get
get obtain
obtain get
bring fetch
take
put place
set assign
assign assigned
share
return
expect expected
happen occur
occur happen
matter
mean meaning
meaning definition
definition meaning
define declare
declare define
describe description
description
reference pointer
pointer reference
part section piece
section part
piece part
chapter section
step stage phase
stage phase
phase stage
level
top
bottom
front
behind
left
above
below
inside within
outside external
external outside
internal
local
remote
global
nested subdirectory
parent
child
root
leaf
tree hierarchy
depth
width
height
wide
full
half
whole entire
entire whole
partial incomplete
incomplete unfinished
abandon abandoned orphan
orphan orphaned leftover
leftover orphan remaining stale
complain complaint grumble objection criticism
dislike hate object disagree
downside disadvantage drawback tradeoff con
advantage benefit upside
tradeoff compromise balance
explanation reason cause because
announcement notice message notification
banner header notice
popup dialog modal prompt
halt stop pause interrupt abort
imitate mimic copy follow
habit practice routine
contradiction inconsistent inconsistency conflict mismatch contradict
accidentally unintentionally mistake
deliberately intentionally purpose
checker lint linter validator
developer programmer engineer contributor
everywhere global anywhere
precedence priority override order
override overwrite precedence
overwrite clobber replace
burst spike surge flood
stylesheet css style
shade tint color
panel pane sidebar
nested submodule inner
startup boot launch init
shutdown teardown exit stop
garbage gc prune
corrupt corruption broken damaged
backup snapshot copy
checkpoint snapshot savepoint
leak expose exposure
telemetry analytics tracking
quiet silent silently
verbose noisy detailed
hint tip suggestion
typo misspelling spelling
wording phrase sentence
translate translation localize locale
timezone utc
expire expiry ttl outdated
retry attempt again
attempt try retry
throttle quota limit
idle inactive
crash fail failure die
die crash killed
survive persist remain
remain stay left
unused dead obsolete
deprecated obsolete legacy
experimental beta preview
stable reliable robust
fragile brittle flaky
ugly messy clutter
oversight mistake forgot
extra additional more
increase raise grow bump
shrink decrease reduce smaller
expand extend grow
narrow restrict limit
several multiple many
rest remaining others
instead alternative rather
opinion think view
believe think assume
worry concern afraid
rely depend trust
blame fault responsible
turn-down reject refuse decline
work-out determine compute calculate
point-out mention note
come-from origin source
origin source root
calculate compute determine
convert transform
wrapper wrap shim
helper utility function
snippet excerpt fragment
chunk piece block
icon logo
screenshot image
animation motion
shortcut hotkey key
clipboard paste copy
upload send push
export output
compress zip shrink
unpack extract decompress
encrypt cipher crypto
subscription membership plan
invoice bill receipt
salary wage pay
deliver delivery shipping ship
parcel package
inventory stock
vendor supplier
agreement contract
appointment meeting
invite invitation
reminder notify
kid child
spouse wife husband
illness disease sick
vehicle car
home house
researcher scientist author
university college
exam test
formula equation
probability chance likelihood
percentage percent ratio share
anonymous unnamed
public open
private internal hidden
manual hand manually
automatic auto automatically
interactive prompt tty
headless background
optional optionally
required mandatory
nullable optional null
constant fixed hardcoded
hardcoded fixed constant
dynamic runtime
static constant
synchronous blocking
asynchronous async nonblocking
recursive recursion nested
sequential serial order
sandbox isolated container
isolated sandbox separate
shared common global
ownership owner
rights permission license
license licence terms
copyright license
trademark brand
brand logo name
audience users readers
visitor guest user
newcomer beginner newbie
beginner newcomer
expert senior
boss manager lead
colleague coworker teammate
teammate colleague
employee worker staff
hire recruit
fire dismiss
resign quit leave
overdue late
postpone delay defer
defer postpone later
urgent asap critical
hurry urgent quick
patience wait
evidence proof show
proof evidence prove
prove proof verify
demonstrate show demo
demo example
tutorial guide walkthrough
guideline rule convention
convention standard rule
standard convention norm
spec specification requirement
specification spec
blueprint plan design
draft sketch outline
outline summary structure
sketch draft
revision version change
changelog release notes
rollback revert undo
hotfix patch fix
regression broke broken
flawed wrong broken
defective broken
malfunction fail broken
outage downtime down
downtime outage
alert alarm
monitor watch observe
watch monitor observe
observe notice see
notice see spot
ping health
healthcheck health
heartbeat ping
latency delay slow
bandwidth throughput
congestion busy
capacity limit size
consumption usage
usage use consumption
footprint size memory
bloat size large
overhead cost
waste unnecessary
unnecessary redundant needless
needless unnecessary
pointless useless unnecessary
useless pointless
worthwhile worth useful
useful helpful
helpful useful
convenient easy
easy simple
simple easy plain
hard difficult
difficult hard tricky
tricky difficult subtle
complicated complex
complex complicated
confusing unclear ambiguous
unclear ambiguous vague
vague unclear
ambiguous unclear
obvious clear
clear obvious
`;
