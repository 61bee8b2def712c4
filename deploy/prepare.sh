#!/bin/sh
# Makes all that a queue needs beside its programs, into a folder that lies in no workspace:
#   sh prepare.sh /etc/whetstone queue.example
# a certificate authority of its own, the certificate of Redis for localhost, for the name “redis” and for every name or
# IPv4 address that is given, a password, and the secret that coordinator and workers sign and encrypt with. What is there
# already is kept, settings in redis.conf and queue.env among it: called again, it makes the certificate of Redis anew, which
# is valid for 825 days, for the names that it had and those that are given now, and nothing else.
set -eu
umask 077
folder=${1:?Name the folder to write to, such as /etc/whetstone}
shift
mkdir -p "$folder/redis/data"
cd "$folder"
folder=$(pwd -P)

if [ ! -f ca-key.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256 -days 3650 -subj '/CN=Whetstone queue' \
    -keyout ca-key.pem -out ca.pem 2>/dev/null
fi

names=DNS:localhost,DNS:redis,IP:127.0.0.1
add() {
  case ,$names, in
    *",$1,"*) ;;
    *) names=$names,$1 ;;
  esac
}
renewed=
if [ -f redis/cert.pem ]; then
  renewed=yes
  for name in $(openssl x509 -in redis/cert.pem -noout -text | sed -n '/Subject Alternative Name/{n;s/IP Address:/IP:/g;s/,/ /g;p;}'); do
    add "$name"
  done
fi
for name in "$@"; do
  case $name in
    *[!0-9.]*) add "DNS:$name" ;;
    *) add "IP:$name" ;;
  esac
done
printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n' "$names" > redis/names.txt
openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256 -subj '/CN=redis' \
  -keyout redis/key.pem -out redis/request.pem 2>/dev/null
openssl x509 -req -sha256 -days 825 -in redis/request.pem -CA ca.pem -CAkey ca-key.pem -set_serial "0x$(openssl rand -hex 8)" \
  -extfile redis/names.txt -out redis/cert.pem 2>/dev/null
rm redis/request.pem redis/names.txt
cp ca.pem redis/ca.pem

[ -f queue-secret ] || openssl rand -hex 32 > queue-secret
[ -f password ] || openssl rand -hex 24 > password
password=$(cat password)

# Paths are as seen from the folder of the data. Every write is in a log, so that a restart forgets no job; and nothing is
# thrown away to save memory, which would be a job.
if [ ! -f redis/redis.conf ]; then
  cat > redis/redis.conf <<CONF
port 0
tls-port 6380
tls-cert-file ../cert.pem
tls-key-file ../key.pem
tls-ca-cert-file ../ca.pem
tls-auth-clients no
requirepass $password
dir data
save ""
appendonly yes
appendfsync everysec
maxmemory-policy noeviction
CONF
fi

# In containers Redis has the name of its service; elsewhere the first name that was given.
host=${1:-localhost}
[ -f container.env ] || printf 'WHETSTONE_QUEUE=rediss://:%s@redis:6380\n' "$password" > container.env
[ -f queue.env ] || printf 'WHETSTONE_QUEUE=rediss://:%s@%s:6380\n' "$password" "$host" > queue.env
if [ ! -f worker.env ]; then
  printf '# The model that the workers ask, named as the runs name it, and its key (such as OPENAI_API_KEY).\n' > worker.env
  printf 'WHETSTONE_MODEL=simulated\n' >> worker.env
fi

# Containers run as whoever owns these files; root gives them to the user that the image of Node has.
owner=$(id -u):$(id -g)
if [ "$owner" = 0:0 ]; then
  owner=1000:1000
  chown -R "$owner" redis queue-secret
fi
chmod 644 ca.pem
printf 'COMPOSE_PROJECT_NAME=whetstone\nWHETSTONE_PRIVATE=%s\nWHETSTONE_USER=%s\n' "$folder" "$owner" > compose.env

cat <<SAID
$folder is ready. Write the model and its key into worker.env, then
  docker compose --env-file $folder/compose.env up --detach --build --wait
and on the machine that trains, in a folder with ca.pem, queue.env and queue-secret that lies in no workspace:
  export \$(cat queue.env) NODE_EXTRA_CA_CERTS=\$PWD/ca.pem WHETSTONE_QUEUE_SECRET_FILE=\$PWD/queue-secret
  whetstone queue
SAID
if [ -n "$renewed" ]; then
  cat <<SAID
The certificate of Redis is a new one: Redis goes on with the old one until it is restarted, with containers by
  docker compose --env-file $folder/compose.env restart redis
SAID
fi
